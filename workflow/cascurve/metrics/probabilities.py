"""Scores taken at their value: what the measures for models that give probabilities share."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def recipient_values(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Score of each recipient, aligned with ``ranks.users``; 0 where it is not ranked (it was held impossible)."""
    rows = np.repeat(ranks.query_rows, ranks.n_relevant)
    values = ranks.scores[rows, ranks.users].astype(np.float64)
    return np.nan_to_num(values, copy=False, nan=0.0, posinf=np.inf, neginf=-np.inf)


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
def _all_in_unit_interval(scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Per row: some score is a number, and every such score is in [0, 1]."""
    proper = np.zeros(len(scores), np.bool_)
    for row in range(len(scores)):
        n_numbers: Any = 0
        n_proper: Any = 0
        for value in scores[row]:
            n_numbers += np.int32(not np.isnan(value))
            n_proper += np.int32(value >= 0) & np.int32(value <= 1)
        proper[row] = n_numbers > 0 and n_numbers == n_proper
    return proper


@njit(cache=True)
def _sums(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.zeros(len(offsets) - 1)
    for i in range(len(sums)):
        for entry in range(offsets[i], offsets[i + 1]):
            sums[i] += values[entry]
    return sums
