"""ER, the Erdős–Rényi network: links between uniformly random pairs of nodes."""

from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.graph import Graph
from cascurve.networks.giant import giant_component
from cascurve.networks.links import number_of_links, undirected_rows
from cascurve.networks.subsets import bernoulli_subset, undirected_pairs, uniform_subset


def generate(
    n: int,
    degree: float,
    *,
    model: Literal["gnm", "gnp"] = "gnm",
    directed: bool = False,
    giant: bool = False,
    rng: np.random.Generator,
) -> Graph:
    """An Erdős–Rényi network (Erdős & Rényi 1960; Gilbert 1959). O(n + links).

    Parameters
    ----------
    n : nodes.
    degree : mean degree (directed: mean out-degree).
    model : ``gnm``: all networks with the nearest whole number of links to `degree` are equally likely; ``gnp``: every
        pair is linked independently, and the mean degree is `degree` in expectation.
    directed : links go one way; both ways between two nodes is then possible.
    giant : keep the giant component only, which has fewer than `n` nodes.

    Raises
    ------
    ConfigError : when `n` nodes cannot have the mean degree.
    """
    links = number_of_links(n, degree, directed=directed)
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    key = seeding.kernel_key(rng)
    codes = uniform_subset(pairs, links, key) if model == "gnm" else bernoulli_subset(pairs, degree / (n - 1), key)
    rows = _directed_rows(n, codes) if directed else undirected_rows(n, undirected_pairs(codes))
    graph = Graph(n, *rows)
    return giant_component(graph) if giant else graph


@njit(cache=True)
def _directed_rows(n: Any, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Rows of arcs: code u * (n - 1) + j is the arc from u to the j-th node that is not u."""
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(len(codes), np.int32)
    for link in range(len(codes)):
        u = codes[link] // (n - 1)
        j = codes[link] - u * (n - 1)
        indices[link] = j + (j >= u)
        indptr[u + 1] += 1
    for node in range(n):
        indptr[node + 1] += indptr[node]
    return indptr, indices
