"""Unexpectedness: how different the recommended users are from the contacts that the target has."""

from typing import Literal

from cascurve.novelty.averages import UNKNOWN, Average, Value, mean_over_links
from cascurve.novelty.task import Task

NAME = "Unexpectedness"


def score(
    task: Task, k: int | None, *, reading: Literal["code", "formula"] = "code", average: Average = "links"
) -> Value:
    """Mean over the recommended links (u, v) of the mean of 1 − cos(v, w) over the contacts w of u; 0 to 1 for
    features that are not negative.

    Parameters
    ----------
    reading : pairs (v, w) of which one has no features. "code": left out of the inner mean, as in RELISON.
        "formula": all contacts count; a zero vector has cosine 0, hence distance 1.

    No contact, or (code) no pair left: 0, and the link counts. Castells, Hurley & Vargas, Recommender Systems
    Handbook 2015, section 26.3.
    """
    if not task.links_known:
        return UNKNOWN
    return mean_over_links(task.distances_to_contacts(skip=reading == "code"), task.lists, k, average)
