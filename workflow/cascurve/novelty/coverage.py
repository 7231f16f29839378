"""Coverage: the share of users who are recommended to anybody."""

from cascurve.novelty.averages import Value
from cascurve.novelty.task import Task

NAME = "Coverage"


def score(task: Task, k: int | None) -> Value:
    """Vertices of the graph in the first k ranks of any list, over all vertices; from 0 to 1.

    Candidates unknown to the graph do not count. Ge, Delgado-Battenfeld & Jannach, RecSys 2010 (catalogue coverage).
    """
    seen = task.counts(k)[: task.graph.n_nodes] > 0
    return Value(float(seen.mean()))
