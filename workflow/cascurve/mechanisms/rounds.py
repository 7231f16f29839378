"""The independent cascade in rounds: who is infected in one round tries each of its links once, in the next."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.graph import Graph
from cascurve.mechanisms.coins import coins, flip
from cascurve.mechanisms.simulation import NOBODY, Drawn, Simulation, in_batches


def rounds(
    graph: Graph,
    sources: NDArray[np.int32],
    length: int,
    tries: int,
    *,
    probability: NDArray[np.float64],
    shuffle: bool,
    rng: np.random.Generator,
) -> Simulation:
    """Cascades in rounds; a user's time is the number of its round.

    Parameters
    ----------
    probability : chance that a link passes the information on, aligned with ``graph.indices``.
    shuffle : whether the users of one round stand in random order; otherwise they stand in the order of their
        infectors, and by ascending id where these agree.
    """
    indices, coin = graph.indices.view(np.uint32), coins(probability)

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int) -> Drawn:
        return _batch(graph.indptr, indices, coin, shuffle, chunk, length, tries, key, first)

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    shuffle: Any,
    sources: NDArray[np.int32],
    length: Any,
    tries: Any,
    key: Any,
    first: Any,
) -> Drawn:
    """Each cascade is written over its failed tries; the unused end of the buffers never takes memory.

    A last round is drawn to its end, past the length, since which of its users come first is random.
    """
    nodes = len(indptr) - 1
    users = np.empty(len(sources) * length + nodes + 1, np.uint32)
    times = np.empty(len(users), np.float64)
    infectors = np.empty(len(users), np.uint32)
    offsets = np.zeros(len(sources) + 1, np.int64)
    used = np.zeros(len(sources), np.int64)
    infected = np.zeros(nodes, np.uint8)
    random = np.empty(4, np.uint64)
    for cascade in range(len(sources)):
        seeding.start(random, key, first + cascade)
        begin = offsets[cascade]
        end = begin + nodes + 1
        size = 0
        while size < length and used[cascade] < tries:
            used[cascade] += 1
            users[begin] = sources[cascade]
            size = _cascade(
                indptr, indices, coin, shuffle, length, users[begin:end], times[begin:end],
                infectors[begin:end], infected, random,
            )  # fmt: skip
        offsets[cascade + 1] = begin + min(size, length)
    total = offsets[-1]
    return offsets, users[:total].view(np.int32), times[:total], infectors[:total].view(np.int32), used


@njit(cache=True)
def _cascade(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    shuffle: Any,
    length: Any,
    users: NDArray[np.uint32],
    times: NDArray[np.float64],
    infectors: NDArray[np.uint32],
    infected: NDArray[np.uint8],
    random: NDArray[np.uint64],
) -> int:
    """Size of one cascade from ``users[0]``; `infected` is all zero before and after."""
    times[0], infectors[0] = 0.0, NOBODY
    infected[users[0]] = 1
    begin, size, now = 0, 1, 0.0
    while begin < size < length:
        now += 1.0
        end = size
        for parent in range(begin, end):
            size = flip(indptr, indices, coin, infected, True, users[parent], users, infectors, size, random)
            if size >= length and not shuffle:
                break
        times[end:size] = now
        begin = end
        if shuffle:
            for last in range(size - 1, begin, -1):
                other = begin + seeding.below(random, last - begin + 1)
                users[last], users[other] = users[other], users[last]
                infectors[last], infectors[other] = infectors[other], infectors[last]
    for entry in range(size):
        infected[users[entry]] = 0
    return size
