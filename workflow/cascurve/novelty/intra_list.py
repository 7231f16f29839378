"""Intra-list diversity (ILD): how different the users of one list are from one another."""

from typing import Literal

import numpy as np

from cascurve.novelty.averages import Value, ratio
from cascurve.novelty.task import Task

NAME = "ILD"


def score(task: Task, k: int | None, *, reading: Literal["code", "formula"] = "code") -> Value:
    """Mean distance 1 − cos between the users of a list, in the first k ranks; from 0 to 1.

    Parameters
    ----------
    reading : "code": Σ over lists of (1/n) Σ_{i≠j} d(i, j), over the number of links, as RELISON computes; pairs with
        a zero vector are left out of the sum, and n counts all. It is below the mean over pairs by (n − 1)/n.
        "formula": the mean over pairs of each list of two or more, then over lists; a zero vector has distance 1.

    Nothing recommended: 0. Smyth & McClave 2001; Castells, Hurley & Vargas 2015.
    """
    pairs = 2.0 * task.lists.totals(task.distances_to_earlier(skip=reading == "code"), k)
    sizes = task.lists.totals(np.ones(len(task.lists.candidates)), k)
    if reading == "code":
        return ratio(pairs / np.maximum(sizes, 1), sizes)
    return ratio(pairs, sizes * (sizes - 1), "users")
