"""Hops between targets and candidates: one breadth-first search per target, met halfway by its candidates.

The search from a target is kept for all of its candidates and goes one level further only when that is cheaper
than the next level of the search back from the candidate, shared among the candidates still to come. So ten
candidates cost two small balls instead of the whole network, and a target of all users costs one plain search.
Where there are fewer candidates than targets (everybody is recommended the same ten users), the roles change.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.graph import Graph

UNREACHABLE = -1


def distances(graph: Graph, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> NDArray[np.int32]:
    """Links of a shortest directed path from ``sources[i]`` to ``targets[i]``; -1 where there is none. Shape (pairs,).

    Users that are not in the graph (numbers from ``n_nodes`` on) reach nobody but themselves.

    Besides the graph it takes the reversed graph and 16 bytes per node.
    """
    ends = np.stack([np.asarray(sources, np.int32), np.asarray(targets, np.int32)])
    back = Graph.from_edges(graph.n_nodes, graph.indices, graph.edge_sources, directed=True)
    swapped = len(np.unique(ends[1])) < len(np.unique(ends[0]))
    if swapped:
        graph, back, ends = back, graph, ends[::-1]
    order = np.argsort(ends[0], kind="stable")
    found = np.empty(ends.shape[1], np.int32)
    found[order] = _search(graph.indptr, graph.indices, back.indptr, back.indices, ends[0][order], ends[1][order])
    return found


@njit(cache=True)
def _search(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    back_indptr: NDArray[np.int64],
    back_indices: NDArray[np.int32],
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Distances of pairs whose equal sources stand together.

    As long as the ball of radius f around the source and that of radius b back from the target have no common
    node, the distance is above f + b; so the first common node that a further level finds gives it exactly.
    """
    n = len(indptr) - 1
    depth_of = np.full(n, np.int32(-1))  # of the search from the source
    mark = np.full(n, np.int32(-1))  # pair whose search back has been here
    front, rear = np.empty(n, np.int32), np.empty(n, np.int32)
    found = np.full(len(sources), np.int32(UNREACHABLE))
    first = 0
    while first < len(sources):
        source = sources[first]
        last = first
        while last < len(sources) and sources[last] == source:
            last += 1
        begin, end, depth, cost = 0, 0, 0, 0
        if source < n:
            front[0], end, depth_of[source] = source, 1, 0
            cost = indptr[source + 1] - indptr[source]
        for pair in range(first, last):
            target = targets[pair]
            if target == source:
                found[pair] = 0
                continue
            if source >= n or target >= n:
                continue
            if depth_of[target] >= 0:
                found[pair] = depth_of[target]
                continue
            rear[0], mark[target] = target, pair
            rear_begin, rear_end, rear_depth = 0, 1, 0
            rear_cost = back_indptr[target + 1] - back_indptr[target]
            while found[pair] < 0 and begin < end and rear_begin < rear_end:
                if cost <= rear_cost * (last - pair):
                    stop = end
                    depth += 1
                    end, cost, met = _forward(indptr, indices, front, begin, end, depth, depth_of, mark, pair)
                    begin = stop
                    if met:
                        found[pair] = depth + rear_depth
                else:
                    stop = rear_end
                    rear_depth += 1
                    rear_end, rear_cost, met = _backward(
                        back_indptr, back_indices, rear, rear_begin, rear_end, depth_of, mark, pair
                    )
                    rear_begin = stop
                    if met:
                        found[pair] = depth + rear_depth
        for place in range(end):
            depth_of[front[place]] = -1
        first = last
    return found


@njit(cache=True)
def _forward(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    front: NDArray[np.int32],
    begin: Any,
    end: Any,
    depth: Any,
    depth_of: NDArray[np.int32],
    mark: NDArray[np.int32],
    pair: Any,
) -> tuple[Any, Any, Any]:
    """One whole level from ``front[begin:end]``: (new end, links of the new level, whether it met the search back)."""
    fresh, cost, met = end, 0, False
    for place in range(begin, end):
        node = front[place]
        for link in range(indptr[node], indptr[node + 1]):
            other = indices[link]
            if depth_of[other] < 0:
                depth_of[other] = depth
                front[fresh] = other
                fresh += 1
                cost += indptr[other + 1] - indptr[other]
                met |= mark[other] == pair
    return fresh, cost, met


@njit(cache=True)
def _backward(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    rear: NDArray[np.int32],
    begin: Any,
    end: Any,
    depth_of: NDArray[np.int32],
    mark: NDArray[np.int32],
    pair: Any,
) -> tuple[Any, Any, Any]:
    """One level back, up to the first node that the search from the source knows; as `_forward`."""
    fresh, cost = end, 0
    for place in range(begin, end):
        node = rear[place]
        for link in range(indptr[node], indptr[node + 1]):
            other = indices[link]
            if depth_of[other] >= 0:
                return fresh, cost, True
            if mark[other] != pair:
                mark[other] = pair
                rear[fresh] = other
                fresh += 1
                cost += indptr[other + 1] - indptr[other]
    return fresh, cost, False
