"""Softened AUC: by how much recipients are scored above non-recipients (MSA, the model-selection study's SAUC)."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks

FEWEST_CELLS, MOST_CELLS = 1024, 32768
CROWD = 8
"""Limits of a cell up to which they are gone through one by one."""

LANES = 4
"""Sums of one interval that are taken side by side, or each addition would wait for the one before."""

BLOCK = 4096
"""Candidates whose cells are held at a time."""


def column() -> str:
    """Name of the output column."""
    return "sauc"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Mean over (recipient, non-recipient) pairs of max(p⁺ - p⁻, 0), in [0, 1]; shape (m,).

    Recipients that are not ranked have probability 0 and add nothing. NaN where there is no such pair or the
    scores are not probabilities.
    """
    defined = ranks.has_probabilities
    pairs = ranks.n_relevant * (ranks.n_candidates - ranks.n_ranked)
    order = np.argsort(ranks.query_rows, kind="stable")
    total = _margins(
        ranks.scores, order[defined[order]], ranks.query_rows, ranks.n_candidates, ranks.offsets, ranks.above,
        ranks.size, ranks.relevant, ranks.recipient_offsets, ranks.recipient_group, ranks.recipient_scores,
    )  # fmt: skip
    return np.divide(total, pairs, out=np.full(len(ranks), np.nan), where=defined & (pairs > 0))


@njit(cache=True)
def _margins(
    scores: NDArray[Any],
    order: NDArray[np.int64],
    rows: NDArray[np.int64],
    n_candidates: NDArray[np.int64],
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    recipient_offsets: NDArray[np.int64],
    recipient_group: NDArray[np.int32],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Each recipient's margins over all candidates below, less those over other recipients, added up."""
    total = np.zeros(len(rows))
    score_of = np.empty(len(above), scores.dtype)  # of each group
    for entry in range(len(values)):
        if recipient_group[entry] >= 0:
            score_of[recipient_group[entry]] = values[entry]
    table = np.empty(MOST_CELLS + 1, np.int32)
    cells = np.empty(BLOCK, np.int32)
    first = 0
    while first < len(order):
        last = first + 1
        groups = offsets[order[first] + 1] - offsets[order[first]]
        while last < len(order) and rows[order[last]] == rows[order[first]]:
            groups += offsets[order[last] + 1] - offsets[order[last]]
            last += 1
        limits = np.empty(groups + 1, scores.dtype)
        filled = 0
        for cascade in order[first:last]:
            for g in range(offsets[cascade + 1] - 1, offsets[cascade] - 1, -1):
                limits[filled] = score_of[g]
                filled += 1
        limits[groups] = np.inf
        if last > first + 1:
            limits.sort()
        below_sum = _sums_below(scores[rows[order[first]]], limits, table, cells)
        for cascade in order[first:last]:
            better, better_sum = 0, 0.0
            for g in range(offsets[cascade], offsets[cascade + 1]):
                value = np.float64(score_of[g])
                t = offsets[cascade + 1] - 1 - g if last == first + 1 else np.searchsorted(limits, score_of[g])
                below = n_candidates[cascade] - above[g] - size[g]
                total[cascade] += relevant[g] * (below * value - below_sum[t] - better_sum + better * value)
                better += relevant[g]
                better_sum += relevant[g] * value
        first = last
    return total


@njit(cache=True)
def _sums_below(
    row: NDArray[Any], limits: NDArray[Any], table: NDArray[np.int32], cells: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Sum of the scores below each of the ascending `limits`, the last of which is infinite.

    A table of cells tells where to look for a score among the limits.
    """
    n = len(limits) - 1
    sums = np.zeros((n + 1, LANES))
    if n == 0:
        return np.zeros(1)
    n_cells = min(max(16 * n, FEWEST_CELLS), MOST_CELLS)
    low, width = limits[0], limits[n - 1] - limits[0]
    last = row.dtype.type(n_cells - 1)
    scale = last / width if width > 0 else last
    free, crowded = 0, False
    for limit in range(n):  # table: limits in lower cells
        cell: Any = _cell(limits[limit], low, scale, last)
        if cell >= free:
            for lower in range(np.uint32(free), np.uint32(cell + 1)):
                table[lower] = limit
            free = cell + 1
        crowded |= limit - table[cell] > CROWD
    table[free : n_cells + 1] = n
    for start in range(0, len(row), BLOCK):
        block = row[start : start + BLOCK]
        for j in range(len(block)):
            cells[j] = _cell(block[j], low, scale, last)
        for j in range(len(block)):
            value = block[j]
            cell = np.uint32(cells[j])
            t: Any = np.uint32(table[cell])
            if crowded:
                end = np.uint32(table[cell + np.uint32(1)])
                while end > t + np.uint32(CROWD):
                    middle = np.uint32((t + end) >> 1)
                    if limits[middle] <= value:
                        t = np.uint32(middle + np.uint32(1))
                    else:
                        end = middle
            t = np.uint32(t + np.uint32(limits[t] <= value))  # nearly always all there is to do, and free of branches
            while limits[t] <= value:
                t = np.uint32(t + np.uint32(1))
            sums[t, np.uint32(j % LANES)] += 0.0 if np.isnan(value) else value
    below = np.empty(n + 1)
    total = 0.0
    for limit in range(n + 1):
        for lane in range(LANES):
            total += sums[limit, lane]
        below[limit] = total
    return below


@njit(cache=True)
def _cell(value: Any, low: Any, scale: Any, last: Any) -> Any:
    """Cell of a score, 0 … last; never decreases with it, since every step rounds monotonically. NaN falls into 0."""
    place = (value - low) * scale
    place = place if place > low - low else low - low
    return np.int32(place if place < last else last)
