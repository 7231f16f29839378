"""Root mean square error of predicted infection probabilities; its square is the Brier score."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks

LANES = 32
"""Sums that are taken side by side."""

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
    squares = _squares(ranks.scores)[ranks.query_rows]
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    total = squares + ranks.n_relevant - 2 * _sums(ranks.recipient_scores, ranks.recipient_offsets)
    mean = np.divide(total, n_predictions, out=np.full(len(ranks), np.nan), where=ranks.has_probabilities)
    return np.sqrt(np.maximum(mean, 0.0))


@njit(cache=True)
def _squares(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Sum of the squares of each row's numbers."""
    total = np.zeros(len(scores))
    lanes = np.empty(LANES)
    for i in range(len(scores)):
        row = scores[i]
        lanes[:] = 0.0
        for first in range(0, len(row), LANES):
            block = row[first : first + LANES]
            for lane in range(len(block)):
                value = np.float64(block[lane])
                lanes[lane] += 0.0 if np.isnan(value) else value * value
        total[i] = lanes.sum()
    return total


@njit(cache=True)
def _sums(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.zeros(len(offsets) - 1)
    for i in range(len(sums)):
        total = 0.0
        for entry in range(np.uint64(offsets[i]), np.uint64(offsets[i + 1])):
            total += values[entry]
        sums[i] = total
    return sums
