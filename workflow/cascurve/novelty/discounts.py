"""The browsing model of Vargas & Castells (RecSys 2011): how far down a list one looks, and what one wants there."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.novelty.task import Task

Floats = NDArray[np.float64]


def browsed(
    task: Task, novelty: Floats, k: int | None, *, discount: Literal["none", "log"], relevant: bool
) -> tuple[Floats, Floats]:
    """(Σ disc · rel · novelty, Σ disc) over the first k ranks of each list; shapes (lists,).

    `novelty` has shape (links,). Without relevance in the task, `relevant` gives NaN.
    """
    ranks = task.lists.ranks
    weight = 1.0 / np.log2(ranks + 1.0) if discount == "log" else np.ones(len(ranks))
    wanted = np.ones(len(ranks))
    if relevant:
        wanted = np.full(len(ranks), np.nan) if task.relevance is None else task.relevance
    return task.lists.totals(weight * wanted * novelty, k), task.lists.totals(weight, k)
