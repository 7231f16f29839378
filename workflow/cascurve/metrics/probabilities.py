"""Scores taken at their value: what the measures for models that give probabilities share."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def recipient_values(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Score of each recipient, aligned with ``ranks.users``; 0 where it is not ranked (it was held impossible)."""
    return _values(ranks.scores, ranks.query_rows, ranks.recipient_offsets, ranks.users)


def has_probabilities(ranks: RelevantRanks) -> NDArray[np.bool_]:
    """Whether the cascade has a recipient and all of its query's scores are in [0, 1]; shape (m,).

    The other cascades have no value in measures of probabilities.
    """
    proper = _all_in_unit_interval(ranks.scores)
    return proper[ranks.query_rows] & (ranks.n_relevant > 0)


def per_cascade(values: NDArray[np.float64], ranks: RelevantRanks) -> NDArray[np.float64]:
    """Sum of one value per recipient; shape (m,)."""
    return _sums(values, ranks.recipient_offsets)


@njit(cache=True)
def _values(
    scores: NDArray[np.float32], rows: NDArray[np.int64], offsets: NDArray[np.int64], users: NDArray[np.int32]
) -> NDArray[np.float64]:
    values = np.zeros(len(users))
    for i in range(len(rows)):
        for entry in range(offsets[i], offsets[i + 1]):
            value = scores[rows[i], users[entry]]
            if not np.isnan(value):
                values[entry] = value
    return values


@njit(cache=True)
def _all_in_unit_interval(scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Per row: some score is a number, and every such score is in [0, 1]."""
    proper = np.zeros(len(scores), np.bool_)
    for row in range(len(scores)):
        low, high = np.float64(np.inf), np.float64(-np.inf)
        for value in scores[row]:  # comparisons with NaN are false
            low = value if value < low else low
            high = value if value > high else high
        proper[row] = 0 <= low <= high <= 1
    return proper


@njit(cache=True)
def _sums(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.zeros(len(offsets) - 1)
    for i in range(len(sums)):
        for entry in range(offsets[i], offsets[i + 1]):
            sums[i] += values[entry]
    return sums
