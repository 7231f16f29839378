"""LT, the linear threshold model: a user passes the message on when enough of those it listens to have (Watts 2002)."""

from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.mechanisms.environment import stream
from cascurve.mechanisms.simulation import NOBODY, Drawn, Simulation, in_batches


def simulate(
    graph: Graph,
    sources: NDArray[np.int32],
    length: int,
    tries: int = 1,
    *,
    low: float = 0.0,
    high: float = 1.0,
    thresholds: Literal["redrawn", "fixed"] = "redrawn",
    rng: np.random.Generator,
    environment_rng: np.random.Generator,
) -> Simulation:
    """Cascades of the linear threshold model in continuous time, exact (the paper's Gillespie method).

    Each link into a user weighs 1 / in-degree. A user whose infected neighbours weigh at least its threshold is
    infected after an Exp(1) time: it looks at its neighbours at rate 1, as in Watts (2002). All users that wait have
    the same rate, so the next one is a uniform pick among them. Its infector is the neighbour who tipped the scale.
    See `cascurve.mechanisms.simulation` for what all mechanisms share.

    Parameters
    ----------
    low, high : thresholds are uniform in [low, high]; 0 and 1 give the model of Kempe, Kleinberg & Tardos (2003).
    thresholds : ``redrawn`` for every cascade, or ``fixed``: once per network.
    """
    if not 0 <= low <= high <= 1:
        raise ConfigError("low", low, f"0 <= low <= high <= 1, with high = {high}")
    needed = np.empty(0, np.int32)
    if thresholds == "fixed":
        drawn = stream(environment_rng, "thresholds").uniform(low, high, graph.n_nodes)
        needed = np.maximum(1, np.ceil(drawn * graph.in_degrees - ROUNDING)).astype(np.int32)
    in_degrees = graph.in_degrees.astype(np.int32)
    indices = graph.indices.view(np.uint32)

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int) -> Drawn:
        return _batch(graph.indptr, indices, in_degrees, needed, low, high, chunk, length, tries, key, first)

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


ROUNDING = 1e-9
"""A threshold of 0.7 asks for 7 of 10 neighbours, although 0.7 * 10 is above 7 in floating point."""

INFECTED = -1
"""Instead of a number of missing neighbours: infected, or waiting to be."""


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    in_degrees: NDArray[np.int32],
    needed: NDArray[np.int32],
    low: Any,
    high: Any,
    sources: NDArray[np.int32],
    length: Any,
    tries: Any,
    key: Any,
    first: Any,
) -> Drawn:
    """Each cascade is written over its failed tries; the unused end of the buffers never takes memory."""
    nodes = len(indptr) - 1
    users = np.empty(len(sources) * length, np.uint32)
    times = np.empty(len(users), np.float64)
    infectors = np.empty(len(users), np.uint32)
    offsets = np.zeros(len(sources) + 1, np.int64)
    used = np.zeros(len(sources), np.int64)
    missing = np.zeros(nodes, np.int32)
    touched = np.empty(nodes, np.uint32)
    waiting = np.empty(nodes, np.uint64)
    random = np.empty(4, np.uint64)
    for cascade in range(len(sources)):
        seeding.start(random, key, first + cascade)
        begin, end = offsets[cascade], offsets[cascade] + length
        size = 0
        while size < length and used[cascade] < tries:
            used[cascade] += 1
            users[begin] = sources[cascade]
            size = _cascade(
                indptr, indices, in_degrees, needed, low, high, users[begin:end], times[begin:end],
                infectors[begin:end], missing, touched, waiting, random,
            )  # fmt: skip
        offsets[cascade + 1] = begin + size
    total = offsets[-1]
    return offsets, users[:total].view(np.int32), times[:total], infectors[:total].view(np.int32), used


@njit(cache=True)
def _cascade(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    in_degrees: NDArray[np.int32],
    needed: NDArray[np.int32],
    low: Any,
    high: Any,
    users: NDArray[np.uint32],
    times: NDArray[np.float64],
    infectors: NDArray[np.uint32],
    missing: NDArray[np.int32],
    touched: NDArray[np.uint32],
    waiting: NDArray[np.uint64],
    random: NDArray[np.uint64],
) -> int:
    """Size of one cascade from ``users[0]``, at most ``len(users)``; `missing` is all zero before and after.

    ``missing[v]`` is how many more infected neighbours v needs, 0 as long as it has none. One word of `waiting` is
    an infector in the upper half and a user in the lower.
    """
    size, marks, ready, now = 0, 0, 0, 0.0
    new, infector = users[0], NOBODY
    touched[0], marks = new, 1
    missing[new] = INFECTED
    while True:
        users[size], times[size], infectors[size] = new, now, infector
        size += 1
        if size == len(users):
            break
        for link in range(np.uint64(indptr[new]), np.uint64(indptr[new + np.uint32(1)])):
            target = indices[link]
            if missing[target] == INFECTED:
                continue
            if missing[target] == 0:
                touched[marks] = target
                marks += 1
                if len(needed):
                    missing[target] = needed[target]
                else:
                    threshold = low + (high - low) * seeding.uniform(random)
                    neighbours = np.int32(np.ceil(threshold * in_degrees[target] - ROUNDING))
                    missing[target] = neighbours if neighbours > 1 else 1
            missing[target] -= 1
            if missing[target] == 0:
                missing[target] = INFECTED
                waiting[ready] = (np.uint64(new) << np.uint64(32)) | np.uint64(target)
                ready += 1
        if ready == 0:
            break
        now += seeding.exponential(random) / ready
        pick = seeding.below(random, ready)
        ready -= 1
        word = waiting[pick]
        waiting[pick] = waiting[ready]
        new, infector = np.uint32(word), np.uint32(word >> np.uint64(32))
    for mark in range(marks):
        missing[touched[mark]] = 0
    return size
