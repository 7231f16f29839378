"""Root mean square error of predicted infection probabilities; its square is the Brier score."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.probabilities import has_probabilities, per_cascade, recipient_values
from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "rms"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Root of the mean over candidates of (probability - infected)²; smaller is better; shape (m,).

    A recipient that is not ranked counts as a candidate with probability 0. NaN where there is no recipient or
    the scores are not probabilities.
    """
    defined = has_probabilities(ranks)
    squares = _squares(ranks.scores)[ranks.query_rows]
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    total = squares + per_cascade(1 - 2 * recipient_values(ranks), ranks)
    mean = np.divide(total, n_predictions, out=np.full(len(ranks), np.nan), where=defined)
    return np.sqrt(np.maximum(mean, 0.0))


@njit(cache=True)
def _squares(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    total = np.zeros(len(scores))
    for row in range(len(scores)):
        even, odd = 0.0, 0.0  # two sums at a time, or each addition would wait for the one before
        for j in range(0, len(scores[row]) - 1, 2):
            one, other = np.float64(scores[row, j]), np.float64(scores[row, j + 1])
            even += 0.0 if np.isnan(one) else one * one
            odd += 0.0 if np.isnan(other) else other * other
        if len(scores[row]) % 2 == 1 and not np.isnan(scores[row, -1]):
            odd += np.float64(scores[row, -1]) ** 2
        total[row] = even + odd
    return total
