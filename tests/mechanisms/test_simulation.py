"""The hook for mechanisms in plain Python, with the readable twin of the exponential clocks as its example."""

import heapq
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from cascurve import plugins
from cascurve.graph import Graph
from cascurve.mechanisms import si
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
