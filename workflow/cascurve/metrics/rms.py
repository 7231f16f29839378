"""Root mean square error of predicted infection probabilities; its square is the Brier score."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks

BEST = 0.0
"""The best value; smaller is better."""


def column() -> str:
    """Name of the output column."""
    return "rms"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Root of the mean over candidates of (probability - infected)²; smaller is better; shape (m,).

    A recipient that is not ranked counts as a candidate with probability 0. NaN where there is no recipient or
    the scores are not probabilities.
    """
    squares = ranks.value_sums.squares[ranks.query_rows]
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    total = squares + ranks.n_relevant - 2 * _sums(ranks.recipient_scores, ranks.recipient_offsets)
    mean = np.divide(total, n_predictions, out=np.full(len(ranks), np.nan), where=ranks.has_probabilities)
    return np.sqrt(np.maximum(mean, 0.0))


@njit(cache=True)
def _sums(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.zeros(len(offsets) - 1)
    for i in range(len(sums)):
        total = 0.0
        for entry in range(np.uint64(offsets[i]), np.uint64(offsets[i + 1])):
            total += values[entry]
        sums[i] = total
    return sums
