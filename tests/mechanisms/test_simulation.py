"""The hook for mechanisms in plain Python, with the readable twin of the exponential clocks as its example."""

import heapq
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from cascurve import plugins
from cascurve.graph import Graph
from cascurve.mechanisms import lt, si
from cascurve.mechanisms.simulation import Simulation, one_by_one
from cascurve.networks import er

GRAPH = er.generate(60, 5.0, rng=np.random.default_rng(1))


def slow_si(graph: Graph, sources: np.ndarray, length: int, tries: int = 1, *, rng: np.random.Generator) -> Simulation:
    """SI by the textbook: a heap of infection times."""

    def cascade(source: int, own: np.random.Generator) -> tuple[list[int], list[float], list[int]]:
        events = [(0.0, source, -1)]
        known: dict[int, tuple[float, int]] = {}
        while events:
            time, user, infector = heapq.heappop(events)
            if user not in known:
                known[user] = (time, infector)
                for target in graph.targets(user).tolist():
                    heapq.heappush(events, (time + own.exponential(), target, user))
        return list(known), [time for time, _ in known.values()], [infector for _, infector in known.values()]

    return one_by_one(cascade, graph.n_nodes, sources, length, tries, rng=rng)


def test_clocks_equal_the_readable_twin() -> None:
    sources = np.full(1500, GRAPH.giant_component()[0], np.int32)
    slow = slow_si(GRAPH, sources, 30, rng=np.random.default_rng(2)).cascades
    fast = si.simulate(
        GRAPH, sources, 30, rng=np.random.default_rng(3), environment_rng=np.random.default_rng(4)
    ).cascades
    assert slow.times is not None
    assert fast.times is not None
    for position in (1, 5, 29):
        ours, twin = (c.times[c.offsets[:-1] + position] for c in (fast, slow) if c.times is not None)
        assert stats.ks_2samp(ours, twin).pvalue > 1e-4
    counts = np.array([np.bincount(c.users, minlength=60) for c in (fast, slow)])
    assert stats.chi2_contingency(counts[:, counts.sum(axis=0) > 0]).pvalue > 1e-4


def slow_lt(
    graph: Graph, sources: np.ndarray, length: int, low: float, high: float, *, rng: np.random.Generator
) -> Simulation:
    """LT by its definition: thresholds, looked at by each waiting user after its own Exp(1) time."""
    targets = [set(graph.targets(user).tolist()) for user in range(graph.n_nodes)]
    hears = [{user for user in range(graph.n_nodes) if own in targets[user]} for own in range(graph.n_nodes)]

    def cascade(source: int, own: np.random.Generator) -> tuple[list[int], list[float], list[int]]:
        threshold = own.uniform(low, high, graph.n_nodes)
        infected, wakes = {source: (0.0, -1)}, []
        known, new, now = {source}, source, 0.0
        while True:
            for user in targets[new] - known:
                if len(hears[user] & infected.keys()) >= threshold[user] * len(hears[user]):
                    known.add(user)
                    heapq.heappush(wakes, (now + own.exponential(), user, new))
            if not wakes:
                break
            now, new, infector = heapq.heappop(wakes)
            infected[new] = (now, infector)
        return list(infected), [time for time, _ in infected.values()], [by for _, by in infected.values()]

    return one_by_one(cascade, graph.n_nodes, sources, length, rng=rng)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.1, 0.6), (0.15, 0.4)])
def test_coins_at_each_neighbour_equal_thresholds(low: float, high: float) -> None:
    graph = er.generate(20, 5.0, rng=np.random.default_rng(4))
    sources = np.full(2000, graph.giant_component()[0], np.int32)
    slow = slow_lt(graph, sources, 20, low, high, rng=np.random.default_rng(2)).cascades
    fast = lt.simulate(
        graph, sources, 20, low=low, high=high, rng=np.random.default_rng(3), environment_rng=np.random.default_rng(4)
    ).cascades
    for numbers in ([(c.lengths, 20) for c in (fast, slow)], [(c.users, 19) for c in (fast, slow)]):
        counts = np.array([np.bincount(values, minlength=most + 1) for values, most in numbers])
        assert stats.chi2_contingency(counts[:, counts.sum(axis=0) > 10]).pvalue > 1e-4
    second = [c.times[c.offsets[:-1][c.lengths > 2] + 2] for c in (fast, slow) if c.times is not None]
    assert stats.ks_2samp(*second).pvalue > 1e-4


def test_retries_and_streams_of_one_by_one() -> None:
    def coin(source: int, own: np.random.Generator) -> tuple[list[int], list[float], list[int]]:
        return ([source, 1 - source], [0, 1], [-1, source]) if own.random() < 0.25 else ([source], [0], [-1])

    sources = np.zeros(2000, np.int32)
    simulated = one_by_one(coin, 2, sources, 2, 100, rng=np.random.default_rng(1))
    assert (simulated.cascades.lengths == 2).all()
    assert abs(simulated.tries.mean() - 4) < 0.4
    few = one_by_one(coin, 2, sources[:5], 2, 100, rng=np.random.default_rng(1))
    assert (few.tries == simulated.tries[:5]).all()
    short = one_by_one(coin, 2, sources, 2, rng=np.random.default_rng(1))
    assert (simulated.tries == 1).sum() == (short.cascades.lengths == 2).sum()


def test_a_file_dropped_in_the_folder_is_a_mechanism(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configuration knows its name and its parameters; nothing else has to be edited."""
    (tmp_path / "mechanisms").mkdir()
    (tmp_path / "mechanisms" / "gossip.py").write_text(
        "def simulate(graph, sources, length, tries=1, *, stay: float = 0.5, rng, environment_rng): ..."
    )
    monkeypatch.setattr(plugins, "PACKAGE", tmp_path)
    assert plugins.names("mechanisms") == ["gossip"]
    assert set(plugins.parameters("mechanisms", "gossip")) == {"stay"}
