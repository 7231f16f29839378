"""Accuracy: the share of candidates on the right side of a probability threshold."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.metrics.thresholds import decide


def column(*, threshold: float = 0.5) -> str:
    """Name of the output column."""
    return f"accuracy[{threshold:g}]"


def score(ranks: RelevantRanks, *, threshold: float = 0.5) -> NDArray[np.float64]:
    """Recipients predicted and non-recipients not predicted, over all candidates; shape (m,).

    A user is predicted with a probability of at least `threshold`. NaN where there is no recipient or the scores
    are not probabilities.
    """
    predicted, right, candidates = decide(ranks, threshold)
    wrong = (predicted - right) + (ranks.n_relevant - right)
    defined = ranks.has_probabilities
    return np.divide(candidates - wrong, candidates, out=np.full(len(ranks), np.nan), where=defined)
