"""The static model of scale-free networks: nodes have weights from the start, and links join heavy nodes more often."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.links import number_of_links, ordered, undirected_rows


def static_model(n: int, degree: float, *, exponent: float, rng: np.random.Generator) -> Graph:
    """A network of the static model (Goh, Kahng & Kim 2001). O(n + links) for sparse networks.

    Node i has the weight (i + 1)**-a with a = 1 / (exponent - 1). Pairs of nodes are drawn in proportion to their
    weights, and linked unless they are already, until the number of links that gives the mean degree is there.
    For n to infinity the degree distribution falls as k**-exponent.

    Raises
    ------
    ConfigError : for an exponent of 2 or less, or more than half of all possible links.
    """
    links = number_of_links(n, degree)
    if exponent <= 2:
        raise ConfigError("exponent", exponent, "an exponent of the degree distribution above 2")
    if 4 * links > n * (n - 1):
        raise ConfigError("degree", degree, f"at most {(n - 1) / 2} for {n} nodes: the static model is for sparse ones")
    weights = np.arange(1, n + 1) ** (-1 / (exponent - 1))
    keep, other = _alias(weights)
    pairs = _pairs(links, keep, other, seeding.kernel_key(rng))
    return Graph(n, *undirected_rows(n, ordered(n, pairs)))


@njit(cache=True)
def _alias(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Tables of Walker's alias method in Vose's form (1991), for weights in descending order.

    Column i is itself with chance ``keep[i]`` and ``other[i]`` otherwise.
    """
    n = len(weights)
    keep = weights * (n / weights.sum())
    other = np.arange(n).astype(np.int32)
    heavy = 0
    for light in range(n - 1, -1, -1):
        column = light
        while keep[column] < 1.0 and heavy < light:
            other[column] = heavy
            keep[heavy] -= 1.0 - keep[column]
            column = heavy  # it may have given so much that it is light now, and takes from the next
            if keep[heavy] < 1.0:
                heavy += 1
    return keep, other


def _pairs(links: int, keep: NDArray[np.float64], other: NDArray[np.int32], key: Any) -> NDArray[np.uint32]:
    """Distinct pairs (low, high)."""
    pairs = np.empty((links, 2), np.uint32)
    _draw(keep, other, key, np.zeros(2 ** max(4, (2 * links - 1).bit_length()), np.uint64), pairs)
    return pairs


@njit(cache=True)
def _draw(
    keep: NDArray[np.float64],
    other: NDArray[np.int32],
    key: Any,
    taken: NDArray[np.uint64],
    pairs: NDArray[np.uint32],
) -> None:
    """Fill `pairs` by rejection.

    `taken`, all zero, holds those that are there: a hash table with linear probing, its size a power of 2.
    """
    random = np.empty(4, np.uint64)
    seeding.start(random, key, 0)
    mask = np.uint64(len(taken) - 1)
    size = 0
    while size < len(pairs):
        a, b = _node(keep, other, random), _node(keep, other, random)
        u, v = min(a, b), max(a, b)
        if u == v:
            continue
        code = (np.uint64(u) << np.uint64(32)) | np.uint64(v)  # never 0, since u < v
        slot = seeding.split_mix(code) & mask
        while taken[slot] != 0 and taken[slot] != code:
            slot = (slot + np.uint64(1)) & mask
        if taken[slot] == 0:
            taken[slot] = code
            pairs[size, 0], pairs[size, 1] = u, v
            size += 1


@njit(cache=True)
def _node(keep: NDArray[np.float64], other: NDArray[np.int32], random: NDArray[np.uint64]) -> int:
    place = seeding.uniform(random) * len(keep)
    column = np.int64(place)
    return int(column) if place - column < keep[column] else int(other[column])
