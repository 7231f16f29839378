"""LT, the linear threshold model: a user passes the message on when enough of those it listens to have (Watts 2002)."""

from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.mechanisms.coins import coins
from cascurve.mechanisms.environment import stream
from cascurve.mechanisms.simulation import NOBODY, Room, Simulation, in_batches


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
    if thresholds == "fixed":
        drawn = stream(environment_rng, "thresholds").uniform(low, high, graph.n_nodes)
        chance, start = _certain_rows(np.maximum(1, np.ceil(drawn * graph.in_degrees - ROUNDING)).astype(np.int64))
    else:
        chance, start = _random_rows(graph.in_degrees, low, high)
    coin, indices, place = coins(chance), graph.indices.view(np.uint32), start.copy()
    waiting, touched = np.empty(graph.n_nodes + 1, np.uint64), np.empty(graph.n_links + 1, np.uint32)

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int, room: Room) -> int:
        finished: int = _batch(
            graph.indptr, indices, coin, start, place, touched, waiting, chunk, length, tries, key, first, room
        )
        return finished

    return in_batches(batch, graph.n_nodes, sources, length, tries, rng=rng)


ROUNDING = 1e-9
"""A threshold of 0.7 asks for 7 of 10 neighbours, although 0.7 * 10 is above 7 in floating point."""

INFECTED = np.uint32(0)
"""The place of a user who is infected, or waits to be; no coin."""


@njit(cache=True)
def _random_rows(in_degrees: NDArray[np.int64], low: Any, high: Any) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """Coins for thresholds that are redrawn for every cascade, and the place where each user's row of them starts.

    Instead of drawing a threshold when the first neighbour is infected, a coin is thrown at each infected neighbour:
    the k-th falls with the chance that k neighbours are enough, given that k - 1 are not. Users of one in-degree
    share a row.
    """
    begins = np.zeros(in_degrees.max() + 2, np.uint32)
    begins[0] = 1  # behind `INFECTED`
    for degree in in_degrees:
        begins[degree + 1] = degree
    begins = np.cumsum(begins).astype(np.uint32)
    coin = np.zeros(begins[-1])
    for degree in range(len(begins) - 1):
        before = 0.0  # nobody is infected without a neighbour
        for heard in range(1, begins[degree + 1] - begins[degree] + 1):
            share = (heard + ROUNDING) / degree
            enough = 0.0
            if share >= high:
                enough = 1.0
            elif share > low:
                enough = (share - low) / (high - low)
            coin[begins[degree] + heard - 1] = (enough - before) / (1.0 - before) if before < 1.0 else 1.0
            before = enough
    return coin, begins[in_degrees]


def _certain_rows(needed: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """As `_random_rows`, for known numbers of infected neighbours: a row of coins that never fall and one that does."""
    most = int(needed.max())
    coin = np.zeros(most + 1)
    coin[-1] = 1.0
    return coin, (most + 1 - needed).astype(np.uint32)


@njit(cache=True)
def _batch(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    start: NDArray[np.uint32],
    place: NDArray[np.uint32],
    touched: NDArray[np.uint32],
    waiting: NDArray[np.uint64],
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
        if begin + len(place) + 1 > len(room.users):
            return cascade
        words = seeding.stream(key, first + cascade)
        end = begin + length
        size = used = 0
        while size < length and used < tries:
            used += 1
            room.users[begin] = sources[cascade]
            size, words = _cascade(
                indptr, indices, coin, start, place, touched, waiting,
                room.users[begin:end], room.times[begin:end], room.infectors[begin:end], words,
            )  # fmt: skip
        room.lengths[cascade], room.tries[cascade] = size, used
        begin += size
    return len(sources)


@njit(cache=True)
def _cascade(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    start: NDArray[np.uint32],
    place: NDArray[np.uint32],
    touched: NDArray[np.uint32],
    waiting: NDArray[np.uint64],
    users: NDArray[np.uint32],
    times: NDArray[np.float64],
    infectors: NDArray[np.uint32],
    words: Any,
) -> Any:
    """Size of one cascade from ``users[0]``, at most ``len(users)``, and the stream after it.

    ``place[v]`` is the coin that v throws next; `place` equals `start` before and after. One word of `waiting` is an
    infector in the upper half and a user in the lower; it has one place more than there are users, since all are
    written, and kept by moving on (a branch on a random bit costs more). One random word serves two links.
    """
    one = np.uint64(1)
    size, ready, marks, now = np.uint64(0), np.uint64(0), np.uint64(1), 0.0
    new, infector = users[0], NOBODY
    touched[0] = new
    place[new] = INFECTED
    while True:
        users[size], times[size], infectors[size] = new, now, infector
        size += one
        if size == len(users):
            break
        link, last = np.uint64(indptr[new]), np.uint64(indptr[new + np.uint32(1)])
        while link < last:
            word, words = seeding.step(words)
            for half in range(2):
                if half == 1:
                    link += one
                    if link == last:
                        break
                    word >>= np.uint64(32)
                target = indices[link]
                at = place[target]
                falls = (word & np.uint64(0xFFFFFFFF)) < coin[at]
                waiting[ready] = (np.uint64(new) << np.uint64(32)) | np.uint64(target)
                ready += np.uint64(falls)
                place[target] = INFECTED if falls else at + np.uint32(at != INFECTED)
                touched[marks] = target
                marks += one
            link += one
        if ready == 0:
            break
        wait, words = seeding.exponential(words)
        now += wait / ready
        picked, words = seeding.pick(words, ready)
        ready -= one
        pair = waiting[picked]
        waiting[picked] = waiting[ready]
        new, infector = np.uint32(pair), np.uint32(pair >> np.uint64(32))
    for mark in range(marks):
        place[touched[mark]] = start[touched[mark]]
    return np.int64(size), words
