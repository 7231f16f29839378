"""Serendipity: unexpected, and yet it came true."""

from typing import Literal

from cascurve.novelty.averages import UNKNOWN, Average, Value, mean_over_links
from cascurve.novelty.task import Task

NAME = "Serendipity"


def score(
    task: Task, k: int | None, *, reading: Literal["code", "formula"] = "code", average: Average = "links"
) -> Value:
    """Mean over the recommended links of unexpectedness × relevance; from 0 to 1.

    Relevance is whether the link came true (in the test links; on predictions, the share of the target's test
    cascades that reached the user). NaN where nothing is known of that. `reading` as in unexpectedness.
    Zhang, Ó Séaghdha, Quercia & Jambor, WSDM 2012; Castells, Hurley & Vargas 2015.
    """
    if task.relevance is None or not task.links_known:
        return UNKNOWN
    surprise = task.distances_to_contacts(skip=reading == "code")
    return mean_over_links(surprise * task.relevance, task.lists, k, average)
