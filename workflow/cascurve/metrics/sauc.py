"""Softened AUC: by how much recipients are scored above non-recipients (MSA, the model-selection study's SAUC)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.probabilities import has_probabilities, recipient_values
from cascurve.metrics.relevant_ranks import RelevantRanks

BLOCK = 2**22
"""Scores that are sorted at a time."""


def column() -> str:
    """Name of the output column."""
    return "sauc"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Mean over (recipient, non-recipient) pairs of max(p⁺ - p⁻, 0), in [0, 1]; shape (m,).

    Recipients that are not ranked have probability 0 and add nothing. NaN where there is no such pair or the
    scores are not probabilities.
    """
    defined = has_probabilities(ranks)
    pairs = ranks.n_relevant * (ranks.n_candidates - ranks.n_ranked)
    values = recipient_values(ranks)
    total = np.zeros(len(ranks))
    order = np.argsort(ranks.query_rows, kind="stable")
    order = order[defined[order]]
    rows, first = np.unique(ranks.query_rows[order], return_index=True)
    bounds = np.append(first, len(order))
    step = max(BLOCK // ranks.scores.shape[1], 1)
    for start in range(0, len(rows), step):
        chosen = rows[start : start + step]
        below = np.sort(ranks.scores[chosen], axis=1)  # NaN comes last
        cascades = order[bounds[start] : bounds[start + len(chosen)]]
        local = np.searchsorted(chosen, ranks.query_rows[cascades])
        _margins(
            below, cascades, local, ranks.n_candidates, ranks.offsets, ranks.above, ranks.size, ranks.relevant,
            ranks.recipient_offsets, ranks.recipient_group, values, total,
        )  # fmt: skip
    return np.divide(total, pairs, out=np.full(len(ranks), np.nan), where=defined & (pairs > 0))


@njit(cache=True)
def _margins(
    ascending: NDArray[np.float32],
    cascades: NDArray[np.int64],
    rows: NDArray[np.int64],
    n_candidates: NDArray[np.int64],
    offsets: NDArray[np.int64],
    above: NDArray[np.int64],
    size: NDArray[np.int64],
    relevant: NDArray[np.int64],
    recipient_offsets: NDArray[np.int64],
    recipient_group: NDArray[np.int64],
    values: NDArray[np.float64],
    total: NDArray[np.float64],
) -> None:
    """Add up, for each recipient, its margins over all candidates below, less those over other recipients."""
    summed = np.zeros(ascending.shape[1] + 1)
    value_of = np.zeros(len(above))
    current = -1
    for i in range(len(cascades)):
        cascade = cascades[i]
        if rows[i] != current:
            current = rows[i]
            for j in range(n_candidates[cascade]):
                summed[j + 1] = summed[j] + ascending[current, j]
        for entry in range(recipient_offsets[cascade], recipient_offsets[cascade + 1]):
            if recipient_group[entry] >= 0:
                value_of[recipient_group[entry]] = values[entry]
        better, better_sum = 0, 0.0
        for g in range(offsets[cascade], offsets[cascade + 1]):
            value = value_of[g]
            below = n_candidates[cascade] - above[g] - size[g]
            total[cascade] += relevant[g] * (below * value - summed[below])
            total[cascade] -= relevant[g] * (better_sum - better * value)
            better += relevant[g]
            better_sum += relevant[g] * value
