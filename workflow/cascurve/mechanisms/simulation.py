"""What a mechanism yields, and what all mechanisms share.

A mechanism is one module of this folder with a function

    simulate(graph, sources, length, tries=1, *, <parameters>, rng, environment_rng) -> Simulation

Its keyword-only arguments are its parameters in the configuration. Cascade i starts at ``sources[i]`` and holds the
first `length` users, the source included; it is drawn again when it ends short of that, up to `tries` times. What
stays the same for all cascades of a network (link probabilities, say) is drawn from `environment_rng`, through
`cascurve.mechanisms.environment.stream`. To add a mechanism, drop its file in this folder; `one_by_one` runs one
that is written in plain Python:

    def simulate(graph, sources, length, tries=1, *, stay=0.5, rng, environment_rng):
        def cascade(source, rng):  # users in order, their times, who infected them (-1: nobody)
            ...
            return users, times, infectors
        return one_by_one(cascade, graph.n_nodes, sources, length, tries, rng=rng)
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.errors import DataError

Drawn = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]
"""Offsets, users, times, infectors, and tries per cascade."""

Batch = Callable[[NDArray[np.int32], int, int, np.uint64, int], Drawn]
"""Draws some cascades: (sources, length, tries, key, index of the first) -> `Drawn`."""

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


def in_batches(
    batch: Batch, n_nodes: int, sources: NDArray[np.int32], length: int, tries: int, *, rng: np.random.Generator
) -> Simulation:
    """Run a compiled `batch` over all sources, with progress on stderr when it takes long.

    Every cascade has its own stream (key, index), so the size of the batches does not matter.
    """
    _check(n_nodes, sources, length, tries)
    key = seeding.kernel_key(rng)
    parts: list[Drawn] = []
    size, done, started = 1, 0, time.monotonic()
    reported = started
    while done < len(sources):
        begun = time.monotonic()
        chunk = sources[done : done + size]
        parts.append(batch(chunk, min(length, n_nodes), tries, key, done))
        done += len(chunk)
        now = time.monotonic()
        size = max(1, min(16 * size, int(size * PROGRESS_SECONDS / 4 / max(now - begun, 1e-6))))
        if now - reported > PROGRESS_SECONDS:
            reported = now
            print(f"  cascades: {done} of {len(sources)}, {now - started:.0f} s", file=sys.stderr, flush=True)
    return _joined(n_nodes, parts)


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

    def batch(chunk: NDArray[np.int32], length: int, tries: int, key: np.uint64, first: int) -> Drawn:
        drawn = []
        for index, source in enumerate(chunk, start=first):
            own = np.random.Generator(np.random.PCG64([int(key), index]))
            users, times, infectors = cascade(int(source), own)
            used = 1
            while len(users) < length and used < tries:
                users, times, infectors = cascade(int(source), own)
                used += 1
            drawn.append((users[:length], times[:length], infectors[:length], used))
        columns = list(zip(*drawn, strict=True))
        return (
            np.cumsum([0, *map(len, columns[0])]),
            np.concatenate(columns[0]).astype(np.int32),
            np.concatenate(columns[1]).astype(np.float64),
            np.concatenate(columns[2]).astype(np.int32),
            np.array(columns[3], np.int64),
        )

    return in_batches(batch, n_nodes, np.asarray(sources, np.int32), length, tries, rng=rng)


def _check(n_nodes: int, sources: NDArray[np.int32], length: int, tries: int) -> None:
    if len(sources) and (sources.min() < 0 or sources.max() >= n_nodes):
        raise DataError(f"source out of range: nodes run from 0 to {n_nodes - 1}")
    if length < 1 or tries < 1:
        raise DataError(f"expected a length and a number of tries of at least 1, found {length} and {tries}")


def _joined(n_nodes: int, parts: list[Drawn]) -> Simulation:
    lengths = [np.diff(part[0]) for part in parts]
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))]).astype(np.int64)

    def column(position: int, dtype: type[np.generic]) -> NDArray[Any]:
        return np.concatenate([np.empty(0, dtype), *(part[position] for part in parts)])

    cascades = CascadeSet(n_nodes, offsets, column(1, np.int32), column(2, np.float64))
    return Simulation(cascades, column(3, np.int32), column(4, np.int64))
