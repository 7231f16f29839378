"""Entropy of the recommendations over the users."""

import numpy as np

from cascurve.novelty.averages import Value
from cascurve.novelty.task import Task

NAME = "Entropy"


def score(task: Task, k: int | None) -> Value:
    """Shannon entropy, in bits, of the users in the first k ranks of all lists; 0 = always the same, at most log2 N.

    Nothing recommended: 0.
    """
    counts = task.counts(k)
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return Value(float(-np.sum(shares * np.log2(shares))) + 0.0)
