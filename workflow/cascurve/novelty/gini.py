"""Gini index: how unevenly the recommendations are spread over the users."""

from cascurve.novelty import gini_complement
from cascurve.novelty.averages import Value
from cascurve.novelty.task import Task

NAME = "Gini"


def score(task: Task, k: int | None) -> Value:
    """1 − `gini_complement`: 0 = all users alike, 1 = always the same user. Nothing recommended: 0."""
    return Value(1.0 - gini_complement.score(task, k).value)
