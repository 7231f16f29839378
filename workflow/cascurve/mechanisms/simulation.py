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

BLOCK = 2**20
"""Entries (users of cascades) that one batch has room for, unless a single cascade can have more."""

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

    ``users``, ``times`` and ``infectors`` have room for as many users as all cascades of the batch can have, and one
    network more; ``lengths`` and ``tries`` have one place per cascade. An end that is not written takes no memory.
    NumPy allots it once for all batches, and in large pages: page faults could take a quarter of the time.
    """

    users: NDArray[np.uint32]
    times: NDArray[np.float64]
    infectors: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    tries: NDArray[np.int64]


Batch = Callable[[NDArray[np.int32], int, int, np.uint64, int, Room], None]
"""Draws some cascades: (sources, length, tries, key, index of the first, room to write them to)."""


def in_batches(
    batch: Batch, n_nodes: int, sources: NDArray[np.int32], length: int, tries: int, *, rng: np.random.Generator
) -> Simulation:
    """Run a compiled `batch` over all sources, with progress on stderr when it takes long.

    Every cascade has its own stream (key, index), so the size of the batches does not matter.
    """
    _check(n_nodes, sources, length, tries)
    key = seeding.kernel_key(rng)
    length = min(length, n_nodes)
    room = Room(*_entries(max(length, 3 * BLOCK // 2) + n_nodes + 1), *np.empty((2, len(sources)), np.int64))
    size, done, filled, started = 1, 0, 0, time.monotonic()
    reported = started
    while done < len(sources):
        begun = time.monotonic()
        chunk = sources[done : done + size]
        needed = filled + len(chunk) * length + n_nodes + 1
        if needed > len(room.users):  # then for all that may come, judged by what has
            room = _grown(room, filled, needed + int(1.1 * filled / done * (len(sources) - done)))
        free = Room(
            room.users[filled:], room.times[filled:], room.infectors[filled:], room.lengths[done:], room.tries[done:]
        )
        batch(chunk, length, tries, key, done, free)
        filled += int(free.lengths[: len(chunk)].sum())
        done += len(chunk)
        now = time.monotonic()
        size = max(1, min(16 * size, int(size * PROGRESS_SECONDS / 4 / max(now - begun, 1e-6)), BLOCK // length))
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

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int, room: Room) -> None:
        begin = 0
        for index, source in enumerate(chunk):
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

    return in_batches(batch, n_nodes, np.asarray(sources, np.int32), length, tries, rng=rng)


def _check(n_nodes: int, sources: NDArray[np.int32], length: int, tries: int) -> None:
    if len(sources) and (sources.min() < 0 or sources.max() >= n_nodes):
        raise DataError(f"source out of range: nodes run from 0 to {n_nodes - 1}")
    if length < 1 or tries < 1:
        raise DataError(f"expected a length and a number of tries of at least 1, found {length} and {tries}")
