"""Random subsets of the pairs of nodes, as ascending codes: the core of networks with independent links."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding


def uniform_subset(pairs: int, links: int, key: np.uint64) -> NDArray[np.int64]:
    """A uniform subset of `links` of the codes 0 … pairs - 1, ascending.

    A Bernoulli sample is uniform given its size, and stays so when a uniform part of it is struck out. So: sample a
    few too many (four standard deviations), again where that was too few, and strike out the surplus.
    """
    if 2 * links > pairs:
        present = np.ones(pairs, np.bool_)
        present[uniform_subset(pairs, pairs - links, key)] = False
        return np.flatnonzero(present)
    chance = min(1.0, (links + 4.0 * np.sqrt(links) + 4.0) / pairs)
    draw = 0
    while len(codes := bernoulli_subset(pairs, chance, key, draw)) < links:
        draw += 1
    return _strike(codes, len(codes) - links, key, draw)


def bernoulli_subset(pairs: int, chance: float, key: np.uint64, draw: int = 0) -> NDArray[np.int64]:
    """Each of the codes 0 … pairs - 1 with the given chance, ascending; stream (key, 2 * draw)."""
    if chance <= 0.0:
        return np.empty(0, np.int64)
    if chance >= 1.0:
        return np.arange(pairs)
    expected = pairs * chance
    buffer = np.empty(int(expected + 8.0 * np.sqrt(expected) + 16.0), np.int64)
    return _skip(pairs, -1.0 / np.log1p(-chance), buffer, key, 2 * draw)


@njit(cache=True)
def _skip(pairs: Any, scale: Any, codes: NDArray[np.int64], key: Any, stream: Any) -> NDArray[np.int64]:
    """Bernoulli sampling by geometric gaps (Batagelj & Brandes 2005); `codes` grows if it is too small.

    The whole part of an exponential variable with the mean `scale`, -1 / log(1 - chance), is geometric.
    """
    words = seeding.stream(key, stream)
    size, code = 0, np.int64(-1)
    while True:
        wait, words = seeding.exponential(words)
        gap = wait * scale
        if gap >= pairs - code - 1:
            return codes[:size]
        code += 1 + np.int64(gap)
        if size == len(codes):
            codes = np.concatenate((codes, np.empty_like(codes)))
        codes[size] = code
        size += 1


@njit(cache=True)
def _strike(codes: NDArray[np.int64], surplus: Any, key: Any, draw: Any) -> NDArray[np.int64]:
    """Strike out `surplus` uniformly chosen codes; stream (key, 2 * draw + 1)."""
    random = np.empty(4, np.uint64)
    seeding.start(random, key, 2 * draw + 1)
    struck = 0
    while struck < surplus:
        place = np.int64(seeding.uniform(random) * len(codes))
        if codes[place] >= 0:
            codes[place] = -1
            struck += 1
    size = 0
    for code in codes:
        if code >= 0:
            codes[size] = code
            size += 1
    return codes[:size]


def undirected_pairs(codes: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Low and high end of each pair: ascending codes count the pairs (0,1), (0,2), (1,2), (0,3), …"""
    pairs = np.empty((len(codes), 2), np.uint32)
    _unrank(codes, pairs)
    return pairs


@njit(cache=True)
def _unrank(codes: NDArray[np.int64], pairs: NDArray[np.uint32]) -> None:
    v, base = 1, 0  # the pairs of v, (0, v) … (v - 1, v), start at code `base`
    for link in range(len(codes)):
        while codes[link] - base >= v:
            base += v
            v += 1
        pairs[link, 0], pairs[link, 1] = codes[link] - base, v
