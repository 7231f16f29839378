"""Long-tail novelty (LTN): the share of users who do not know the recommended one yet."""

from typing import Literal

from cascurve.novelty.averages import UNKNOWN, Average, Value, mean_over_links
from cascurve.novelty.task import Task

NAME = "LTN"


def score(
    task: Task, k: int | None, *, reading: Literal["code", "formula"] = "code", average: Average = "links"
) -> Value:
    """Mean of 1 − in-degree(v) / U over the recommended links (u, v); from 0 to 1, higher = less known.

    Parameters
    ----------
    reading : what U is. "code": users with at least one out-link, as RELISON counts. "formula": all vertices, as its
        documentation writes.

    A candidate without in-links, or unknown to the graph, has 1. Nothing recommended: 0. A graph without links: 1
    for all. Vargas & Castells, RecSys 2011 (expected popularity complement without discount).
    """
    if not task.links_known:
        return UNKNOWN
    users = task.linkers if reading == "code" else task.graph.n_nodes
    known = task.in_degrees[task.lists.candidates] / max(users, 1)
    return mean_over_links(1.0 - known, task.lists, k, average)
