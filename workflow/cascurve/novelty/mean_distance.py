"""Mean prediction distance (MPD): how many hops away the recommended users are, a new contact's contact being 0."""

from typing import Literal

import numpy as np

from cascurve.novelty.averages import UNKNOWN, Average, Value, mean_over_links
from cascurve.novelty.task import Task

NAME = "Mean prediction distance"


def score(
    task: Task, k: int | None, *, reading: Literal["code", "formula"] = "code", average: Average = "links"
) -> Value:
    """|Ê| / Σ 1/δ(u, v) − 2, the harmonic mean of the distances less 2; in hops on the training graph.

    Parameters
    ----------
    reading : pairs without a path. "code": they add 0 to the sum and count in |Ê|, as in RELISON. "formula": δ is
        defined for pairs with a path only, so the others are left out of both.
    average : "users" takes the mean of 1/δ per list first.

    Weights are not used. No path at all: infinite ("formula": 0, as where nothing is recommended). A link of the
    training graph has δ = 1, and a list of such links −1; a user recommended to itself has δ = 0 and makes it −2.
    Sanz-Cruzado & Castells, BIAS 2020.
    """
    if not task.links_known:
        return UNKNOWN
    hops = task.distances.astype(np.float64)
    with np.errstate(divide="ignore"):
        nearness = 1.0 / hops
    nearness[hops < 0] = 0.0 if reading == "code" else np.nan
    near = mean_over_links(nearness, task.lists, k, average)
    if near.value == 0.0:
        lost = reading == "code" and len(task.lists) > 0
        return Value(float("inf") if lost else 0.0)
    return Value(1.0 / near.value - 2.0, near.error / near.value**2)
