"""Expected popularity complement (EPC): the chance that a recommended user whom one looks at was not seen before."""

from typing import Literal

import numpy as np

from cascurve.novelty.averages import Value, ratio
from cascurve.novelty.discounts import browsed
from cascurve.novelty.task import Task

NAME = "EPC"


def score(task: Task, k: int | None, *, discount: Literal["none", "log"] = "log", relevant: bool = False) -> Value:
    """Mean over lists of Σ disc(rank) rel(v) (1 − seen(v)) / Σ disc(rank) in the first k ranks; from 0 to 1.

    Parameters
    ----------
    discount : disc = 1 / log2(rank + 1), or 1.
    relevant : count only users who came true (by how much); NaN where nothing is known of that.

    seen(v) is v's popularity over those who could have observed it: in-links over users with out-links; on
    predictions, the share of training cascades that reached v. Nothing recommended: 0.
    Vargas & Castells, RecSys 2011, eq. 8.
    """
    counts, observers = task.observed
    unseen = 1.0 - np.minimum(counts[task.lists.candidates] / max(observers, 1), 1.0)
    return ratio(*browsed(task, unseen, k, discount=discount, relevant=relevant), "users")
