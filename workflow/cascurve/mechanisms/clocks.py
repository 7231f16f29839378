"""Spreading in continuous time by independent exponential clocks: the exact method behind IC, SI and SIR.

Each link from an infected node to another holds a clock that rings after an Exp(rate) time and then infects the
target. All clocks that still run are alike, since the exponential law has no memory: the next one to ring is a
uniform pick, after an Exp(rate * number of clocks) time. A clock whose target is already infected, or whose owner has
recovered, rings without effect. So the method is exact, and an event costs O(1) where a heap costs O(log n)
(Gillespie 1977; Fennell, Melnik & Gleeson 2016 compare exact methods).
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.graph import Graph
from cascurve.mechanisms.coins import coins, flip
from cascurve.mechanisms.simulation import NOBODY, Room, Simulation, in_batches

SUSCEPTIBLE, INFECTED, RECOVERED = 0, 1, 2


def race(
    graph: Graph,
    sources: NDArray[np.int32],
    length: int,
    tries: int,
    *,
    probability: NDArray[np.float64] | None = None,
    rate: float = 1.0,
    recovery: float = 0.0,
    rng: np.random.Generator,
) -> Simulation:
    """Cascades by exponential clocks.

    Parameters
    ----------
    probability : chance of each link to hold a clock at all, drawn when its tail is infected; None: all do.
    rate : of the clocks.
    recovery : rate at which an infected node recovers; its clocks have no effect from then on.
    """
    coin = coins(np.empty(0) if probability is None else probability)
    indices = graph.indices.view(np.uint32)
    status = np.zeros(graph.n_nodes, np.uint8)
    targets, owners = np.empty((2, graph.n_links + 1), np.uint32)
    infected = np.empty(graph.n_nodes if recovery > 0 else 0, np.uint32)

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int, room: Room) -> int:
        finished: int = _batch(
            graph.indptr, indices, coin, rate, recovery, status, targets, owners, infected,
            chunk, length, tries, key, first, room,
        )  # fmt: skip
        return finished

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    rate: Any,
    recovery: Any,
    status: NDArray[np.uint8],
    targets: NDArray[np.uint32],
    owners: NDArray[np.uint32],
    infected: NDArray[np.uint32],
    sources: NDArray[np.int32],
    length: Any,
    tries: Any,
    key: Any,
    first: Any,
    room: Room,
) -> int:
    """Each cascade is written over its failed tries; stops, and tells after how many, where the room may not do."""
    begin = 0
    for cascade in range(len(sources)):
        if begin + len(status) + 1 > len(room.users):
            return cascade
        words = seeding.stream(key, first + cascade)
        end = begin + length
        size = used = 0
        while size < length and used < tries:
            used += 1
            room.users[begin] = sources[cascade]
            size, words = _cascade(
                indptr, indices, coin, rate, recovery, room.users[begin:end], room.times[begin:end],
                room.infectors[begin:end], status, targets, owners, infected, words,
            )  # fmt: skip
        room.lengths[cascade], room.tries[cascade] = size, used
        begin += size
    return len(sources)


@njit(cache=True)
def _cascade(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    rate: Any,
    recovery: Any,
    users: NDArray[np.uint32],
    times: NDArray[np.float64],
    infectors: NDArray[np.uint32],
    status: NDArray[np.uint8],
    targets: NDArray[np.uint32],
    owners: NDArray[np.uint32],
    infected: NDArray[np.uint32],
    words: Any,
) -> Any:
    """Size of one cascade from ``users[0]``, at most ``len(users)``, and the stream after it.

    `status` is all zero before and after. Clock i is the one of ``owners[i]`` for ``targets[i]``.
    """
    size, running, sick, now = np.uint64(0), np.uint64(0), np.uint64(0), 0.0
    one = np.uint64(1)
    new, infector = users[0], NOBODY
    while True:
        users[size], times[size], infectors[size] = new, now, infector
        status[new] = INFECTED
        size += one
        if size == len(users):
            break
        if recovery > 0:
            infected[sick] = new
            sick += one
        running, words = flip(indptr, indices, coin, status, False, new, targets, owners, running, words)
        found = False
        while running > 0 and not found:
            total = running * rate + sick * recovery
            wait, words = seeding.exponential(words)
            now += wait / total
            if sick > 0:
                word, words = seeding.step(words)
                if seeding.unit(word) * total >= running * rate:
                    cured, words = seeding.pick(words, sick)
                    status[infected[cured]] = RECOVERED
                    sick -= one
                    infected[cured] = infected[sick]
                    continue
            rung, words = seeding.pick(words, running)
            running -= one
            new, infector = targets[rung], owners[rung]
            targets[rung], owners[rung] = targets[running], owners[running]
            found = status[new] == SUSCEPTIBLE and status[infector] == INFECTED
        if not found:
            break
    for entry in range(size):
        status[users[entry]] = SUSCEPTIBLE
    return np.int64(size), words
