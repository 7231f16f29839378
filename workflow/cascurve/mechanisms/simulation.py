"""What a mechanism yields, and what all mechanisms share.

A mechanism is one module of this folder with a function

    simulate(graph, sources, length, tries=1, *, <parameters>, rng, environment_rng) -> Simulation

Its keyword-only arguments are its parameters in the configuration. Cascade i starts at ``sources[i]`` and holds the
first `length` users, the source included; it is drawn again when it ends short of that, up to `tries` times. What
stays the same for all cascades of a network (link probabilities, say) is drawn from `environment_rng`, through
`cascurve.mechanisms.environment.stream`. To add a mechanism, drop its file in this folder, or name it in a
study (docs/plugins.md); `one_by_one` runs one that is written in plain Python:

    def simulate(graph, sources, length, tries=1, *, stay: float = 0.5, rng, environment_rng):
        def cascade(source, rng):  # users in order, their times, who infected them (-1: nobody)
            ...
            return users, times, infectors
        return one_by_one(cascade, graph.n_nodes, sources, length, tries, rng=rng)
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.errors import DataError

FIRST_ROOM = 2**17
"""Entries (users of cascades) that there is room for at first, besides one cascade through the whole network.

Few enough for small pages: the system fills a large page with zeros at the first touch, which takes longer than a
study's cascades do.
"""

PROGRESS_SECONDS = 5.0

NOBODY = np.uint32(2**32 - 1)
"""The infector of a source, inside kernels; as int32 it is -1."""


@dataclass(frozen=True)
class Simulation:
    """Simulated cascades.

    Attributes
    ----------
    cascades : users and times; a cascade shorter than the length asked for reached no further in its last try.
    infectors : int32, aligned with ``cascades.users``: who passed the information on; -1 for nobody (a source).
    tries : int64, shape (m,): how often each cascade was drawn.
    """

    cascades: CascadeSet
    infectors: NDArray[np.int32]
    tries: NDArray[np.int64]


class Room(NamedTuple):
    """Where a batch writes its cascades, one right behind the other.

    ``users``, ``times`` and ``infectors`` have room for one cascade through the whole network and one user more, at
    least; ``lengths`` and ``tries`` have one place per cascade. An end that is not written takes no memory.
    """

    users: NDArray[np.uint32]
    times: NDArray[np.float64]
    infectors: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    tries: NDArray[np.int64]


Batch = Callable[[NDArray[np.int32], int, int, np.uint64, int, Room], int]
"""Draws cascades: (sources, length, tries, key, index of the first, room to write them to) -> how many had room."""


def in_batches(
    batch: Batch, n_nodes: int, sources: NDArray[np.int32], length: int, tries: int, *, rng: np.random.Generator
) -> Simulation:
    """Run a compiled `batch` over all sources, with progress on stderr when it takes long.

    Every cascade has its own stream (key, index), so the size of the batches does not matter.
    """
    _check(n_nodes, sources, length, tries)
    key = seeding.kernel_key(rng)
    length = min(length, n_nodes)
    one = n_nodes + 1
    room = Room(*_entries(FIRST_ROOM + one), *np.empty((2, len(sources)), np.int64))
    size, done, filled, started = 1, 0, 0, time.monotonic()
    reported = started
    while done < len(sources):
        begun = time.monotonic()
        chunk = sources[done : done + size]
        free = Room(
            room.users[filled:], room.times[filled:], room.infectors[filled:], room.lengths[done:], room.tries[done:]
        )
        finished = batch(chunk, length, tries, key, done, free)
        filled += int(free.lengths[:finished].sum())
        done += finished
        if finished < len(chunk):  # room for all that may come, judged by what has
            room = _grown(
                room, filled, filled + one + max(FIRST_ROOM, int(1.1 * filled / done * (len(sources) - done)))
            )
        now = time.monotonic()
        size = max(1, min(16 * size, int(finished * PROGRESS_SECONDS / 4 / max(now - begun, 1e-6))))
        if now - reported > PROGRESS_SECONDS:
            reported = now
            print(f"  cascades: {done} of {len(sources)}, {now - started:.0f} s", file=sys.stderr, flush=True)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(room.lengths)])
    users, infectors = (column[:filled].view(np.int32) for column in (room.users, room.infectors))
    return Simulation(CascadeSet(n_nodes, offsets, users, room.times[:filled]), infectors, room.tries)


def _entries(count: int) -> tuple[NDArray[np.uint32], NDArray[np.float64], NDArray[np.uint32]]:
    return np.empty(count, np.uint32), np.empty(count, np.float64), np.empty(count, np.uint32)


def _grown(room: Room, filled: int, count: int) -> Room:
    """Room for so many entries, those that are filled as they were."""
    users, times, infectors = _entries(count)
    users[:filled], times[:filled] = room.users[:filled], room.times[:filled]
    infectors[:filled] = room.infectors[:filled]
    return Room(users, times, infectors, room.lengths, room.tries)


def one_by_one(
    cascade: Callable[[int, np.random.Generator], tuple[Sequence[int], Sequence[float], Sequence[int]]],
    n_nodes: int,
    sources: ArrayLike,
    length: int,
    tries: int = 1,
    *,
    rng: np.random.Generator,
) -> Simulation:
    """Run a mechanism written in plain Python; `cascade` draws one whole cascade of a source.

    It returns the users in order with the source first, their times, and their infectors (-1: nobody).
    """

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int, room: Room) -> int:
        begin = 0
        for index, source in enumerate(chunk):
            if begin + length > len(room.users):
                return index
            own = np.random.Generator(np.random.PCG64([int(key), first + index]))
            drawn, used = cascade(int(source), own), 1
            while len(drawn[0]) < length and used < tries:
                drawn, used = cascade(int(source), own), used + 1
            users, times, infectors = drawn
            end = begin + min(len(users), length)
            room.users[begin:end] = users[:length]
            room.times[begin:end] = times[:length]
            room.infectors[begin:end] = np.asarray(infectors[:length], np.int32).view(np.uint32)
            room.lengths[index], room.tries[index] = end - begin, used
            begin = end
        return len(chunk)

    return in_batches(batch, n_nodes, np.asarray(sources, np.int32), length, tries, rng=rng)


def _check(n_nodes: int, sources: NDArray[np.int32], length: int, tries: int) -> None:
    if len(sources) and (sources.min() < 0 or sources.max() >= n_nodes):
        raise DataError(f"source out of range: nodes run from 0 to {n_nodes - 1}")
    if length < 1 or tries < 1:
        raise DataError(f"expected a length and a number of tries of at least 1, found {length} and {tries}")
