"""Where the cascades of a network start."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import CellError
from cascurve.graph import Graph
from cascurve.mechanisms.environment import stream

HOPELESS = 200
"""When none of so many nodes reaches the length, none will be looked for further."""


def choose_sources(
    graph: Graph, sources: int | Literal["one", "all"], *, environment_rng: np.random.Generator
) -> NDArray[np.int32]:
    """Distinct uniformly random nodes among the `candidates`, in random order: so many, one, or all of them.

    The same for all lengths of an environment; `environment_rng` is not advanced.

    Raises
    ------
    CellError : when there are fewer candidates than sources asked for.
    """
    pool, count = _pool(graph, sources, environment_rng)
    return pool[:count]


def reaching_sources(
    graph: Graph,
    sources: int | Literal["one", "all"],
    reach_of: Callable[[NDArray[np.int32]], NDArray[np.float64]],
    *,
    min_reach: float,
    environment_rng: np.random.Generator,
) -> tuple[NDArray[np.int32], int]:
    """As `choose_sources`, but those that reach the length too rarely are passed over for the next ones.

    Parameters
    ----------
    reach_of : estimates the probability of reaching the length, for each of some nodes.
    min_reach : lowest probability that is accepted.

    Returns
    -------
    The sources and how many were passed over. Where none reaches the length, the first ones are returned as they
    are: then the cell as a whole falls short.

    Raises
    ------
    CellError : when too few nodes reach the length often enough.
    """
    pool, count = _pool(graph, sources, environment_rng)
    good, looked_at = np.empty(0, bool), 0
    while good.sum() < count and looked_at < len(pool) and (good.any() or looked_at < HOPELESS):
        block = pool[looked_at : looked_at + max(count - int(good.sum()), 10)]
        reach = reach_of(block)
        good = np.concatenate([good, (reach > 0) & (reach >= min_reach)])
        looked_at += len(block)
    if not good.any():
        return pool[:count], 0
    chosen = pool[:looked_at][good][:count]
    if len(chosen) < count and sources != "all":
        raise CellError(
            f"only {len(chosen)} of the {len(pool)} nodes to start from reach the length with a probability of at "
            f"least min_reach = {min_reach:.2%}; {count} sources are asked for"
        )
    return chosen, int((~good).sum())


def _pool(
    graph: Graph, sources: int | Literal["one", "all"], environment_rng: np.random.Generator
) -> tuple[NDArray[np.int32], int]:
    """All candidates in the order in which they are taken, and how many are asked for."""
    pool = candidates(graph)
    count = int({"one": 1, "all": len(pool)}.get(str(sources), sources))
    if count > len(pool):
        raise CellError(f"the giant component has {len(pool)} nodes to start from, fewer than the {count} asked for")
    return stream(environment_rng, "sources").permutation(pool), count


def candidates(graph: Graph) -> NDArray[np.int32]:
    """Nodes from which much of the network can be reached, ascending.

    Undirected: the giant component. Directed: the nodes that can reach the largest strongly connected component, itself
    included; where no two nodes reach each other, the nodes of the giant component with a link that leaves them.
    """
    giant = graph.giant_component()
    reverse = Graph.from_edges(graph.n_nodes, graph.indices, graph.edge_sources, directed=True)
    if np.array_equal(reverse.indptr, graph.indptr) and np.array_equal(reverse.indices, graph.indices):
        return giant
    from scipy.sparse import csgraph, csr_array

    links = np.ones(graph.n_links, np.int8)
    matrix = csr_array((links, reverse.indices, reverse.indptr), shape=(graph.n_nodes, graph.n_nodes))
    _, label = csgraph.connected_components(matrix, connection="strong")
    size = np.bincount(label)
    if size.max() == 1:
        return giant[graph.out_degrees[giant] > 0]
    core = int(np.flatnonzero(label == size.argmax())[0])
    reaching = csgraph.breadth_first_order(matrix, core, return_predecessors=False)
    return np.sort(reaching).astype(np.int32)
