"""Cascades against EoN and cynetdiff (N = 1000, mean degree 6), and one cascade through a million users.

Run: ``make bench``. Processor time per cascade, medians; ours and the peer take turns.
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from cascurve.mechanisms import ic, lt, si
from cascurve.networks import er

N, DEGREE, COUNT = 1000, 6.0, 3000
GRAPH = er.generate(N, DEGREE, rng=np.random.default_rng(1))
SOURCE = int(GRAPH.giant_component()[0])
SOURCES = np.full(COUNT, SOURCE, np.int32)
SEEDS: dict[str, Any] = {"rng": np.random.default_rng(2), "environment_rng": np.random.default_rng(3)}


def network() -> "nx.Graph[int]":
    graph: nx.Graph[int] = nx.empty_graph(N)
    graph.add_edges_from(zip(GRAPH.edge_sources.tolist(), GRAPH.indices.tolist(), strict=True))
    return graph


def race(name: str, ours: Callable[[], Any], peer: Callable[[], Any], count: int, rounds: int, goal: str) -> None:
    """`ours` draws COUNT cascades, `count` calls of `peer` one each."""
    ours()  # compiles
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        start = time.process_time()
        ours()
        middle = time.process_time()
        for _ in range(count):
            peer()
        times.append(((middle - start) / COUNT, (time.process_time() - middle) / count))
    own, other = (1e6 * statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name}: ours {own:.2f} µs, peer {other:.1f} µs, ratio {other / own:.1f} ({goal})", flush=True)


@pytest.mark.parametrize(("method", "goal", "rounds"), [("fast_SIR", 100, 5), ("Gillespie_SIR", 1000, 3)])
def test_si_against_eon(method: str, goal: int, rounds: int) -> None:
    simulate = getattr(pytest.importorskip("EoN"), method)
    graph = network()
    race(f"SI to all, EoN {method}", lambda: si.simulate(GRAPH, SOURCES, N, **SEEDS),
         lambda: simulate(graph, 1.0, 0.0, initial_infecteds=[SOURCE]), 1, rounds, f"goal ≥ {goal}")  # fmt: skip


@pytest.mark.parametrize("order", ["fixed", "random", "delays"])
def test_ic_against_cynetdiff(order: Any) -> None:
    """The peer yields sets without order or times; `fixed` comes nearest to what it does."""
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_ic_model(network(), activation_prob=0.25, rng=np.random.default_rng(4))
    model.set_seeds([SOURCE])
    race(f"IC, order {order}, cynetdiff",
         lambda: ic.simulate(GRAPH, SOURCES, N, order=order, edges="fixed", probability=0.25, **SEEDS),
         lambda: (model.reset_model(), model.advance_until_completion()), 300, 15, "goal ≥ 2.5")  # fmt: skip


def test_lt_against_cynetdiff() -> None:
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_lt_model(network().to_directed(), rng=np.random.default_rng(4))
    model.set_seeds([SOURCE])
    race("LT, cynetdiff", lambda: lt.simulate(GRAPH, SOURCES, N, **SEEDS),
         lambda: (model.reset_model(), model.advance_until_completion()), 3000, 15, "goal ≥ 10")  # fmt: skip


def test_a_million_users_on_ten_million_links() -> None:
    """Three whole cascades by each method. Peak memory is that of this process so far; alone it is this test's."""
    size = 1_000_000
    graph = er.generate(size, 20.0, rng=np.random.default_rng(1))
    sources = np.resize(graph.giant_component()[:1], 3)
    for name, simulate in {
        "IC delays": lambda: ic.simulate(graph, sources, size, edges="fixed", probability=0.2, **SEEDS),
        "IC random": lambda: ic.simulate(graph, sources, size, order="random", edges="fixed", probability=0.2, **SEEDS),
        "SI": lambda: si.simulate(graph, sources, size, **SEEDS),
        "LT": lambda: lt.simulate(graph, sources, size, high=0.2, **SEEDS),
    }.items():
        start = time.process_time()
        reached = int(simulate().cascades.lengths.max())
        spent = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
        print(f"{name}, {reached} users: {spent / 3:.2f} s per cascade, peak {peak:.2f} GiB (goal < 2)", flush=True)
