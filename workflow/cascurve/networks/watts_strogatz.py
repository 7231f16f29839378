"""Small-world networks of Watts and Strogatz: a ring of neighbours with some links thrown elsewhere."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.links import number_of_links


def generate(n: int, degree: float, *, rewiring: float = 0.1, rng: np.random.Generator) -> Graph:
    """A small-world network (Watts & Strogatz 1998) with exactly n * degree / 2 links.

    Every node starts with links to its `degree` / 2 nearest on each side of a ring. One after the other, as in the
    paper (nearest first, clockwise), each link keeps its first end, and with probability `rewiring` gets another
    second end: uniform among the nodes that the first is not linked to (there is none for a node linked to all).

    Raises
    ------
    ConfigError : for a mean degree that is not an even number below n - 1, or a `rewiring` outside [0, 1].
    """
    number_of_links(n, degree)
    if degree % 2 or degree >= n - 1:
        raise ConfigError("degree", degree, f"an even number below {n - 1}: half of the neighbours stand on each side")
    if not 0 <= rewiring <= 1:
        raise ConfigError("rewiring", rewiring, "a probability between 0 and 1")
    head = _rewire(n, int(degree) // 2, rewiring, seeding.kernel_key(rng))
    return Graph.from_edges(n, np.tile(np.arange(n), len(head)), head.ravel(), directed=False)


@njit(cache=True)
def _rewire(n: Any, half: Any, rewiring: Any, key: Any) -> NDArray[np.int32]:
    """``head[d - 1, u]`` is the second end of the link of u that started at u + d.

    u is linked to v when v is one of its heads, or u one of v's; `into` chains the links that end at a node.
    """
    random = np.empty(4, np.uint64)
    seeding.start(random, key, 0)
    head = np.empty((half, n), np.int32)
    for d in range(half):
        for u in range(n):
            head[d, u] = (u + d + 1) % n
    links = half * n
    degree = np.full(n, 2 * half, np.int64)
    first = np.full(n, -1, np.int64)
    following = np.full(links, -1, np.int64)
    for link in range(links):
        v = head[link // n, link % n]
        following[link] = first[v]
        first[v] = link
    for link in range(links):
        d, u = link // n, link % n
        if seeding.uniform(random) >= rewiring or degree[u] == n - 1:
            continue
        v = seeding.below(random, n)
        while v == u or _linked(head, first, following, u, v):
            v = seeding.below(random, n)
        old = head[d, u]
        if first[old] == link:
            first[old] = following[link]
        else:
            before = first[old]
            while following[before] != link:
                before = following[before]
            following[before] = following[link]
        degree[old] -= 1
        degree[v] += 1
        head[d, u] = v
        following[link] = first[v]
        first[v] = link
    return head


@njit(cache=True)
def _linked(head: NDArray[np.int32], first: NDArray[np.int64], following: NDArray[np.int64], u: Any, v: Any) -> bool:
    n = head.shape[1]
    for d in range(head.shape[0]):
        if head[d, u] == v:
            return True
    link = first[u]
    while link >= 0:
        if link % n == v:
            return True
        link = following[link]
    return False
