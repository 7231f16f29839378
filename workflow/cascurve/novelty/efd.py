"""Expected free discovery (EFD): the information, in bits, in a recommended user whom one looks at."""

from typing import Literal

import numpy as np

from cascurve.errors import ConfigError
from cascurve.novelty.averages import Value, ratio
from cascurve.novelty.discounts import browsed
from cascurve.novelty.task import Task

NAME = "EFD"


def score(
    task: Task,
    k: int | None,
    *,
    discount: Literal["none", "log"] = "log",
    relevant: bool = False,
    prior: float = 1.0,
) -> Value:
    """Mean over lists of Σ disc(rank) rel(v) (−log2 p(v)) / Σ disc(rank) in the first k ranks; in bits, from 0.

    Parameters
    ----------
    discount, relevant : as in EPC.
    prior : p(v) = (popularity(v) + prior) / Σ (popularity + prior). Without it a user never observed is infinitely
        novel, and one such user decides the mean.

    Nothing recommended: 0. Vargas & Castells, RecSys 2011, eq. 9.
    """
    if prior < 0:
        raise ConfigError("prior", prior, "a number of observations, at least 0")
    counts, _ = task.observed
    total = counts.sum() + prior * len(counts)
    with np.errstate(divide="ignore"):
        bits = np.log2(max(total, 1.0)) - np.log2(counts[task.lists.candidates] + prior)
    return ratio(*browsed(task, bits, k, discount=discount, relevant=relevant), "users")
