"""Softened AUC: by how much recipients are scored above non-recipients (MSA, the model-selection study's SAUC)."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.cells import LANES, MOST_CELLS, Map, cell_of, cells_of, even_map, ratio_map, rows_for
from cascurve.metrics.counting import largest_query
from cascurve.metrics.relevant_ranks import RelevantRanks

CROWD = 8
"""Limits of a cell up to which they are gone through one by one."""

MANY = MOST_CELLS // 2
"""Recipients from which a query's scores are sorted instead: most cells would hold one."""

FEW = 24
"""Recipients of a query up to which the scores are compared with each of them."""

SIDES = 8
"""Sums that take turns."""

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
    many = ranks.n_relevant >= MANY
    total = _margins(
        ranks.scores, ranks.scores.astype(np.float32, copy=False), order[(defined & ~many)[order]], ranks.query_rows,
        ranks.n_candidates, ranks.offsets, ranks.above, ranks.size, ranks.relevant,
        ranks.recipient_offsets, ranks.recipient_group, ranks.recipient_scores,
    )  # fmt: skip
    for i in np.flatnonzero(defined & many):
        relevant = np.zeros(ranks.scores.shape[1], bool)
        relevant[ranks.users[ranks.recipient_offsets[i] : ranks.recipient_offsets[i + 1]]] = True
        total[i] = _margins_by_sorting(ranks.scores[ranks.query_rows[i]], relevant)
    return np.divide(total, pairs, out=np.full(len(ranks), np.nan), where=defined & (pairs > 0))


def softened_auc(scores: NDArray[Any], relevant: NDArray[np.bool_]) -> float:
    """SAUC of one list of probabilities, shape (n,) both, in O(n log n); NaN without a pair."""
    pairs = int(relevant.sum()) * int((~relevant).sum())
    return _margins_by_sorting(scores, relevant) / pairs if pairs else np.nan


def _margins_by_sorting(row: NDArray[Any], relevant: NDArray[np.bool_]) -> float:
    """Margins over the candidates below, added up over the relevant ones; NaN = no candidate."""
    order = np.argsort(row)[: np.count_nonzero(~np.isnan(row))]  # NaN stands last
    scores, hit = row[order].astype(np.float64), relevant[order]
    margins = scores * np.cumsum(~hit) - np.cumsum(np.where(hit, 0.0, scores))
    return float(margins[hit].sum())


@njit(cache=True)
def _margins(
    scores: NDArray[Any],
    narrow: NDArray[np.float32],
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
    room = largest_query(offsets, rows, order) + 1
    limits, below_sum = np.empty(room, scores.dtype), np.empty(room)
    held, first_limit = np.empty(MOST_CELLS), np.empty(MOST_CELLS, np.int32)
    cells, near = np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32)
    first = 0
    while first < len(order):
        last = first
        groups = 0
        while last < len(order) and rows[order[last]] == rows[order[first]]:
            cascade = order[last]
            for g in range(offsets[cascade + 1] - 1, offsets[cascade] - 1, -1):
                limits[groups] = score_of[g]
                groups += 1
            last += 1
        if last > first + 1:
            limits[:groups].sort()
        limits[groups] = np.inf
        row = rows[order[first]]
        _sums_below(scores[row], narrow[row], limits[: groups + 1], below_sum, held, first_limit, cells, near)
        for cascade in order[first:last]:
            better, better_sum = 0, 0.0
            for g in range(offsets[cascade], offsets[cascade + 1]):
                value = np.float64(score_of[g])
                t = offsets[cascade + 1] - 1 - g if last == first + 1 else np.searchsorted(limits[:groups], score_of[g])
                below = n_candidates[cascade] - above[g] - size[g]
                total[cascade] += relevant[g] * (below * value - below_sum[t] - better_sum + better * value)
                better += relevant[g]
                better_sum += relevant[g] * value
        first = last
    return total


@njit(cache=True)
def _sums_below(
    row: NDArray[Any],
    narrow_row: NDArray[np.float32],
    limits: NDArray[Any],
    below: NDArray[np.float64],
    held: NDArray[np.float64],
    first_limit: NDArray[np.int32],
    cells: NDArray[np.int32],
    near: NDArray[np.int32],
) -> None:
    """Write into `below` the sum of the scores below each of the ascending `limits`; the last limit is infinite.

    The scores are added up by cells. Those that share a cell with a limit are looked up among the limits, and
    `below` first holds the sums of these, each at the first limit above. The four arrays behind it are scratch.
    """
    n = len(limits) - 1
    below[: n + 1] = 0.0
    if n <= FEW:
        _sums_by_comparing(row, limits[:n], below, near, held)
        return
    narrow = limits[:n].astype(np.float32)
    bits = narrow.view(np.int32)
    shift = rows_for(n)
    held, first_limit = held[: LANES << shift], first_limit[: LANES << shift]
    by, usable, _ = even_map(narrow, shift)
    occupied, crowded = _mark(narrow, by, first_limit)
    if not usable or 2 * occupied < n:
        by = ratio_map(narrow, shift)
        occupied, crowded = _mark(narrow, by, first_limit)
    held[:] = 0.0
    column_sums = np.empty(LANES)
    for start in range(0, len(row), BLOCK):
        block = row[start : start + BLOCK]
        cells_of(narrow_row[start : start + BLOCK], by, cells)
        waiting = _add_up(block, cells, held, first_limit, near)
        for w in range(waiting):
            j = np.uint32(near[w])
            value = block[j]
            t: Any = np.uint32(first_limit[np.uint32(cells[j])])
            if crowded:
                end = np.uint32(n)
                while end > t + np.uint32(CROWD):
                    middle = np.uint32((t + end) >> 1)
                    if limits[middle] <= value:
                        t = np.uint32(middle + np.uint32(1))
                    else:
                        end = middle
            t = np.uint32(t + np.uint32(limits[t] <= value))  # nearly always all there is to do, and free of branches
            while limits[t] <= value:
                t = np.uint32(t + np.uint32(1))
            below[t] += 0.0 if np.isnan(value) else value
    _sum_up(held, first_limit, column_sums)
    total = 0.0
    for t in range(n):  # the infinite limit is asked by nobody
        total += below[t]
        cell = np.uint32(cell_of(narrow[t], bits[t], by))
        lower = held[cell - np.uint32(LANES)] if cell >= LANES else 0.0
        below[t] = total + column_sums[cell % np.uint32(LANES)] + lower


@njit(cache=True)
def _sums_by_comparing(
    row: NDArray[Any],
    limits: NDArray[Any],
    below: NDArray[np.float64],
    at: NDArray[np.int32],
    held: NDArray[np.float64],
) -> None:
    """As `_sums_below`, for at most `FEW` limits: each score is compared with all of them.

    `at` becomes the limits up to each score of a block. `held` has SIDES sums for each number of limits, which take
    turns, since an addition to the sum that was just written would have to wait for it.
    """
    n = len(limits)
    sums = held[: SIDES * (n + 1)]
    sums[:] = 0.0
    for start in range(0, len(row), BLOCK):
        block = row[start : start + BLOCK]
        up_to = at[: len(block)]
        up_to[:] = 0
        for t in range(n):
            limit = limits[t]
            for j in range(len(block)):
                up_to[j] = np.int32(up_to[j] + np.int32(block[j] >= limit))
        for j in range(len(block)):
            value = np.float64(block[j])
            place = np.uint32(up_to[j]) * np.uint32(SIDES) + np.uint32(j) % np.uint32(SIDES)
            sums[place] += value if value > 0.0 else 0.0  # NaN adds nothing
    total = 0.0
    for t in range(n):
        total += sums[t * SIDES : (t + 1) * SIDES].sum()
        below[t] = total


@njit(cache=True)
def _mark(limits: NDArray[np.float32], by: Map, first_limit: NDArray[np.int32]) -> tuple[int, bool]:
    """Write the first limit of each cell, -1 where there is none; (cells with limits, whether one has many)."""
    bits = limits.view(np.int32)
    first_limit[:] = -1
    occupied, crowded = 0, False
    for t in range(len(limits)):
        cell = np.uint32(cell_of(limits[t], bits[t], by))
        new = first_limit[cell] < 0
        first_limit[cell] = t if new else first_limit[cell]
        occupied += new
        crowded |= t - first_limit[cell] >= CROWD
    return occupied, crowded


@njit(cache=True)
def _add_up(
    block: NDArray[Any],
    cells: NDArray[np.int32],
    held: NDArray[np.float64],
    first_limit: NDArray[np.int32],
    near: NDArray[np.int32],
) -> Any:
    """Add the scores to the sums of their cells; list those in cells with limits in `near`, and return how many."""
    for j in range(len(block)):
        value = np.float64(block[j])
        held[np.uint32(cells[j])] += value if value > 0.0 else 0.0  # NaN adds nothing
    waiting: Any = np.uint32(0)
    for j in range(len(block)):  # no branch on a random bit
        near[waiting] = j
        waiting = np.uint32(waiting + (np.uint32(~first_limit[np.uint32(cells[j])]) >> np.uint32(31)))
    return waiting


@njit(cache=True)
def _sum_up(held: NDArray[np.float64], first_limit: NDArray[np.int32], column_sums: NDArray[np.float64]) -> None:
    """Replace the sums of the cells without limits by those of all such cells up to them in their column.

    `column_sums` becomes what lies in the columns before each.
    """
    for cell in range(len(held)):
        held[cell] = 0.0 if first_limit[cell] >= 0 else held[cell]
    for start in range(LANES, len(held), LANES):
        before, here = held[start - LANES : start], held[start : start + LANES]
        for column in range(LANES):
            here[column] += before[column]
    total = 0.0
    for column in range(LANES):
        column_sums[column] = total
        total += held[len(held) - LANES + column]
