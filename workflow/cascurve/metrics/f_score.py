"""F-score: the harmonic mean of precision and recall at a probability threshold."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.metrics.thresholds import decide


def column(*, threshold: float = 0.5) -> str:
    """Name of the output column."""
    return f"f_score[{threshold:g}]"


def score(ranks: RelevantRanks, *, threshold: float = 0.5) -> NDArray[np.float64]:
    """2 · recipients predicted / (users predicted + recipients); shape (m,); 0 where nobody is predicted.

    A user is predicted with a probability of at least `threshold`. NaN where there is no recipient or the scores
    are not probabilities.
    """
    predicted, right, _ = decide(ranks, threshold)
    defined = ranks.has_probabilities
    return np.divide(2 * right, predicted + ranks.n_relevant, out=np.full(len(ranks), np.nan), where=defined)
