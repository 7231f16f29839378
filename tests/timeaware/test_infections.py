"""Lists of windows are those of an enumeration: users infected in the window, and those never infected."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError
from cascurve.metrics.chance import random_ranking
from cascurve.timeaware.infections import infection_cells, infection_ranks, infections
from cascurve.timeaware.measures import measure
from cascurve.timeaware.slices import Slicing
from cascurve.timeaware.windows import windows

N = 7


def cascades(rng) -> CascadeSet:
    lists, times = [], []
    for _ in range(6):
        lists.append(rng.choice(N, rng.integers(3, 6), replace=False).tolist())
        times.append(np.sort(rng.integers(0, 12, len(lists[-1]))).astype(float).tolist())
    lists[1][0], lists[0][0] = 0, 0  # two cascades of one source
    lists[:2] = [[0, *[u for u in users if u != 0]] for users in lists[:2]]
    return CascadeSet.of(lists, N, [t[: len(users)] for users, t in zip(lists, times, strict=True)])


def plainly(test: CascadeSet, scores: dict[int, np.ndarray], step: Slicing, entity: str, clock: str) -> dict:
    """(entity, slice) -> (true users, mean average precision over all orders of ties), by sets."""
    infected: dict[int, list[tuple[int, int]]] = {}
    sources = sorted(set(test.sources.tolist()))
    for i, users in enumerate(test):
        start, stop = test.offsets[i], test.offsets[i + 1]
        key = i if entity == "cascade" else sources.index(int(users[0]))
        for user, time in zip(users[1:].tolist(), test.times[start + 1 : stop].tolist(), strict=True):
            shifted = time - test.times[start] if clock == "since_start" else time
            place = int((shifted - step.start) // step.width)
            if 0 <= place < step.count:
                infected.setdefault(key, []).append((place, user))
            else:
                infected.setdefault(key, []).append((-1, user))
    found = {}
    for key, rows in infected.items():
        source = int(test.sources[key]) if entity == "cascade" else sources[key]
        row = scores[source]
        ever = {user for _, user in rows}
        for place in {place for place, _ in rows} - {-1}:
            true = {user for at, user in rows if at == place}
            listed = [u for u in range(N) if not np.isnan(row[u]) and (u in true or u not in ever)]
            orders = [o for o in permutations(listed) if all(row[a] >= row[b] for a, b in pairwise(o))]
            found[key, place] = (len(true), len(listed), np.mean([precision(o, true) for o in orders]))
    return found


def precision(order: tuple[int, ...], true: set[int]) -> float:
    hits, total = 0, 0.0
    for rank, user in enumerate(order, start=1):
        if user in true:
            hits += 1
            total += hits / rank
    return total / len(true)


@pytest.mark.parametrize("entity", ["source", "cascade"])
@pytest.mark.parametrize("clock", ["calendar", "since_start"])
def test_lists_equal_an_enumeration(entity, clock) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        test = cascades(rng)
        sources = np.unique(test.sources)
        scores = rng.integers(0, 4, (len(sources), N)).astype(np.float32)
        scores[np.arange(len(sources)), sources] = np.nan
        found = infections(test, entity, clock)
        rows = np.searchsorted(sources, found.source)
        for step in (windows(found, 3), windows(found, 1), Slicing("mine", 0.0, 2.0, 4)):
            cells = infection_cells(found, step)
            ranks = infection_ranks(found, step, scores, rows)
            wanted = plainly(test, dict(zip(sources.tolist(), scores, strict=True)), step, entity, clock)
            assert list(zip(cells.entity.tolist(), cells.slice.tolist(), strict=True)) == sorted(wanted)
            values = measure(ranks)["MAP"]
            for cell, key in enumerate(sorted(wanted)):
                true, listed, ap = wanted[key]
                assert (cells.relevant[cell], ranks.n_candidates[cell]) == (true, listed)
                assert values[cell] == pytest.approx(ap, abs=1e-12)
            assert np.all(measure(random_ranking(ranks))["MAP"] > 0)


def test_data_without_times_are_told() -> None:
    with pytest.raises(CellError, match="no times"):
        infections(CascadeSet.of([[0, 1]], 2))
