"""Who is a candidate and who a recipient: the variants of the protocol that other work uses.

Each function changes the scores (or says what to pass to `score_cascades`); the name of the variant goes in front
of every column, as `named` does: ``seen:ap``, ``sourced:ap``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph


def named(variant: str, columns: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The columns under names that say the variant."""
    return {f"{variant}:{name}": values for name, values in columns.items()}


def restrict(scores: NDArray[Any], allowed: NDArray[np.bool_]) -> NDArray[Any]:
    """Scores of allowed users only; others are no candidates, and recipients among them stay unfound.

    `allowed` has shape (n_users,) or (queries, n_users).
    """
    return np.where(allowed, scores, np.asarray(np.nan, scores.dtype))


def seen(train: CascadeSet) -> NDArray[np.bool_]:
    """Users that occur in a training cascade; shape (n_users,)."""
    return np.bincount(train.users, minlength=train.n_users) > 0


def reachable(graph: Graph, sources: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Users that a message from each source can reach along links; shape (len(sources), n_nodes)."""
    reached = np.zeros((len(sources), graph.n_nodes), np.bool_)
    for row, source in zip(reached, sources, strict=True):
        row[source] = True
        front = [int(source)]
        while front:
            new = [int(v) for v in graph.targets(front.pop()) if not row[v]]
            row[new] = True
            front += new
    return reached


def count_source(scores: NDArray[Any], sources: NDArray[np.int32]) -> NDArray[Any]:
    """Scores with each query's source on top, for the convention that counts it as a hit (``known=0``).

    `sources` has shape (queries,). Pass ``known=0`` to `score_cascades` with these scores.
    """
    counted = scores.copy()
    counted[np.arange(len(sources)), sources] = np.inf
    return counted
