"""Predicted Gini complement (PGC): how evenly the recommendations are spread over the users."""

import numpy as np

from cascurve.novelty.averages import Value
from cascurve.novelty.task import Task

NAME = "Predicted Gini complement"


def score(task: Task, k: int | None) -> Value:
    """1 − Gini index of how often each vertex is recommended in the first k ranks; 1 = all alike, 0 = always the same.

    All N vertices of the graph count, those never recommended too; candidates unknown to the graph stand among them,
    in place of vertices never recommended as long as there are any. Gini = Σ_j (2j − N − 1) c_(j) / (N − 1) / Σ c with
    counts c ascending (RankSys' GiniIndex). Nothing recommended, or one vertex: 1.
    """
    counts = np.sort(task.counts(k))
    counts = counts[counts > 0]
    n = max(task.graph.n_nodes, len(counts))
    if not len(counts) or n == 1:
        return Value(1.0)
    place = np.arange(n - len(counts) + 1, n + 1)
    return Value(1.0 - float(np.sum((2 * place - n - 1) * counts)) / (n - 1) / float(counts.sum()))
