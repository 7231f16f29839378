"""The propagation sub-graph: the users of some cascades, and the network between them, numbered anew."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph


def users_of(cascade_sets: Iterable[CascadeSet]) -> NDArray[np.int32]:
    """Users who appear in any of the sets, ascending."""
    return np.unique(np.concatenate([cascades.users for cascades in cascade_sets]))


def restrict_cascades(cascades: CascadeSet, users: NDArray[np.int32]) -> CascadeSet:
    """The same cascades over ``users[0] … users[N - 1]``, numbered 0 … N - 1; all their users must be among these."""
    numbers = _numbers(cascades.n_users, users)
    return CascadeSet(len(users), cascades.offsets, numbers[cascades.users], cascades.times)


def restrict_graph(graph: Graph, users: NDArray[np.int32]) -> Graph:
    """The links among ``users[0] … users[N - 1]``, numbered 0 … N - 1."""
    numbers = _numbers(graph.n_nodes, users)
    tail, head = numbers[graph.edge_sources], numbers[graph.indices]
    inside = (tail >= 0) & (head >= 0)
    return Graph.from_edges(len(users), tail[inside], head[inside], directed=True)


def cell_network(graph: Graph | None, cell: Mapping[str, Any]) -> Graph | None:
    """The network among the users of a cell (`DataSets.cells`); None where no link is known."""
    if graph is None or not graph.n_links:
        return None
    return restrict_graph(graph, np.asarray(cell["users"])) if "users" in cell else graph


def _numbers(n_users: int, users: NDArray[np.int32]) -> NDArray[np.int32]:
    numbers = np.full(n_users, -1, np.int32)
    numbers[users] = np.arange(len(users), dtype=np.int32)
    return numbers
