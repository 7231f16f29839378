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
from cascurve.mechanisms.simulation import NOBODY, Drawn, Simulation, in_batches

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

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int) -> Drawn:
        return _batch(graph.indptr, indices, coin, rate, recovery, chunk, length, tries, key, first)

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    rate: Any,
    recovery: Any,
    sources: NDArray[np.int32],
    length: Any,
    tries: Any,
    key: Any,
    first: Any,
) -> Drawn:
    """Each cascade is written over its failed tries; the unused end of the buffers never takes memory."""
    users = np.empty(len(sources) * length, np.uint32)
    times = np.empty(len(users), np.float64)
    infectors = np.empty(len(users), np.uint32)
    offsets = np.zeros(len(sources) + 1, np.int64)
    used = np.zeros(len(sources), np.int64)
    status = np.zeros(len(indptr) - 1, np.uint8)
    targets = np.empty(len(indices) + 1, np.uint32)
    owners = np.empty(len(indices) + 1, np.uint32)
    infected = np.empty(length if recovery > 0 else 0, np.uint32)
    random = np.empty(4, np.uint64)
    for cascade in range(len(sources)):
        seeding.start(random, key, first + cascade)
        begin, end = offsets[cascade], offsets[cascade] + length
        size = 0
        while size < length and used[cascade] < tries:
            used[cascade] += 1
            users[begin] = sources[cascade]
            size = _cascade(
                indptr, indices, coin, rate, recovery, users[begin:end], times[begin:end],
                infectors[begin:end], status, targets, owners, infected, random,
            )  # fmt: skip
        offsets[cascade + 1] = begin + size
    total = offsets[-1]
    return offsets, users[:total].view(np.int32), times[:total], infectors[:total].view(np.int32), used


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
    random: NDArray[np.uint64],
) -> int:
    """Size of one cascade from ``users[0]``, at most ``len(users)``; `status` is all zero before and after.

    Clock i is the one of ``owners[i]`` for ``targets[i]``.
    """
    size, running, sick, now = 0, 0, 0, 0.0
    new, infector = users[0], NOBODY
    while True:
        users[size], times[size], infectors[size] = new, now, infector
        status[new] = INFECTED
        size += 1
        if size == len(users):
            break
        if recovery > 0:
            infected[sick] = new
            sick += 1
        running = flip(indptr, indices, coin, status, False, new, targets, owners, running, random)
        found = False
        while running > 0 and not found:
            total = running * rate + sick * recovery
            now += seeding.exponential(random) / total
            if sick > 0 and seeding.uniform(random) * total >= running * rate:
                cured = seeding.below(random, sick)
                status[infected[cured]] = RECOVERED
                sick -= 1
                infected[cured] = infected[sick]
                continue
            pick = np.uint64(seeding.below(random, running))
            running -= 1
            last = np.uint64(running)
            new, infector = targets[pick], owners[pick]
            targets[pick], owners[pick] = targets[last], owners[last]
            found = status[new] == SUSCEPTIBLE and status[infector] == INFECTED
        if not found:
            break
    for entry in range(size):
        status[users[entry]] = SUSCEPTIBLE
    return size
