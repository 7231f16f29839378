"""The independent cascade in rounds: who is infected in one round tries each of its links once, in the next."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.graph import Graph
from cascurve.mechanisms.coins import coins, flip
from cascurve.mechanisms.simulation import NOBODY, Room, Simulation, in_batches


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
    infected = np.zeros(graph.n_nodes, np.uint8)

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int, room: Room) -> int:
        finished: int = _batch(graph.indptr, indices, coin, shuffle, infected, chunk, length, tries, key, first, room)
        return finished

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    shuffle: Any,
    infected: NDArray[np.uint8],
    sources: NDArray[np.int32],
    length: Any,
    tries: Any,
    key: Any,
    first: Any,
    room: Room,
) -> int:
    """Each cascade is written over its failed tries; stops, and tells after how many, where the room may not do.

    A last round is drawn to its end, past the length, since which of its users come first is random.
    """
    begin = 0
    for cascade in range(len(sources)):
        if begin + len(infected) + 1 > len(room.users):
            return cascade
        words = seeding.stream(key, first + cascade)
        end = begin + len(infected) + 1
        size = used = 0
        while size < length and used < tries:
            used += 1
            room.users[begin] = sources[cascade]
            size, words = _cascade(
                indptr, indices, coin, shuffle, length, room.users[begin:end], room.times[begin:end],
                room.infectors[begin:end], infected, words,
            )  # fmt: skip
        room.lengths[cascade], room.tries[cascade] = min(size, length), used
        begin += room.lengths[cascade]
    return len(sources)


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
    words: Any,
) -> Any:
    """Size of one cascade from ``users[0]``, and the stream after; `infected` is all zero before and after."""
    times[0], infectors[0] = 0.0, NOBODY
    infected[users[0]] = 1
    begin, size, now = np.uint64(0), np.uint64(1), 0.0
    while begin < size < length:
        now += 1.0
        end = size
        for parent in range(begin, end):
            size, words = flip(indptr, indices, coin, infected, True, users[parent], users, infectors, size, words)
            if size >= length and not shuffle:
                break
        times[end:size] = now
        begin = end
        if shuffle:
            for left in range(size - begin, 1, -1):
                other, words = seeding.pick(words, left)
                last = begin + np.uint64(left - 1)
                other += begin
                users[last], users[other] = users[other], users[last]
                infectors[last], infectors[other] = infectors[other], infectors[last]
    for entry in range(size):
        infected[users[entry]] = 0
    return np.int64(size), words
