"""Cascades against EoN and cynetdiff (N = 1000, mean degree 6), and whole cascades through a million users.

Run: ``make bench``. Processor time per cascade, medians; ours and the peer take turns.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.mechanisms import ic, lt, si
from cascurve.networks import er

N, DEGREE = 1000, 6.0
GRAPH = er.generate(N, DEGREE, rng=np.random.default_rng(1))
SOURCE = int(GRAPH.giant_component()[0])
SEEDS: dict[str, Any] = {"rng": np.random.default_rng(2), "environment_rng": np.random.default_rng(3)}


def network() -> "nx.Graph[int]":
    graph: nx.Graph[int] = nx.empty_graph(N)
    graph.add_edges_from(zip(GRAPH.edge_sources.tolist(), GRAPH.indices.tolist(), strict=True))
    return graph


def race(
    name: str, ours: Callable[[NDArray[np.int32]], Any], peer: Callable[[], Any], *, own: int, peers: int, goal: float,
    rounds: int = 15,
) -> None:  # fmt: skip
    """In each round `ours` draws `own` cascades in one call, as in a study; `peers` calls of `peer` draw one each."""
    sources = np.full(own, SOURCE, np.int32)
    ours(sources)  # compiles
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        start = time.process_time()
        ours(sources)
        middle = time.process_time()
        for _ in range(peers):
            peer()
        times.append(((middle - start) / own, (time.process_time() - middle) / peers))
    mine, other = (1e6 * statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name}: ours {mine:.2f} µs, peer {other:.1f} µs, ratio {other / mine:.1f} (goal ≥ {goal})", flush=True)


@pytest.mark.parametrize(("method", "goal", "rounds"), [("fast_SIR", 100, 5), ("Gillespie_SIR", 1000, 3)])
def test_si_against_eon(method: str, goal: int, rounds: int) -> None:
    simulate = getattr(pytest.importorskip("EoN"), method)
    graph = network()
    race(f"SI to all, EoN {method}", lambda sources: si.simulate(GRAPH, sources, N, **SEEDS),
         lambda: simulate(graph, 1.0, 0.0, initial_infecteds=[SOURCE]),
         own=3000, peers=1, goal=goal, rounds=rounds)  # fmt: skip


@pytest.mark.parametrize("order", ["fixed", "random", "delays"])
def test_ic_against_cynetdiff(order: Any) -> None:
    """The peer yields sets without order or times; `fixed` comes nearest to what it does."""
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_ic_model(network(), activation_prob=0.25, rng=np.random.default_rng(4))
    model.set_seeds([SOURCE])
    race(f"IC, order {order}, cynetdiff",
         lambda sources: ic.simulate(GRAPH, sources, N, order=order, edges="fixed", probability=0.25, **SEEDS),
         lambda: (model.reset_model(), model.advance_until_completion()), own=3000, peers=300, goal=2.5)  # fmt: skip


@pytest.mark.parametrize("own", [3000, 15_000])
def test_lt_against_cynetdiff(own: int) -> None:
    """A call of ours has a fixed cost of half a millisecond, a tenth of a µs to a fifth per cascade of 3,000."""
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_lt_model(network().to_directed(), rng=np.random.default_rng(4))
    model.set_seeds([SOURCE])
    race(f"LT, {own} cascades in a call, cynetdiff", lambda sources: lt.simulate(GRAPH, sources, N, **SEEDS),
         lambda: (model.reset_model(), model.advance_until_completion()), own=own, peers=3000, goal=10)  # fmt: skip


LIMIT = 2.0
"""GiB that cascades of a million users on ten million links may take, the network and the libraries included."""

LARGE = """
import resource, sys, time
import numpy as np
from cascurve.mechanisms import ic, lt, si
from cascurve.networks import er
size = 1_000_000
graph = er.generate(size, 20.0, rng=np.random.default_rng(1))
sources = np.resize(graph.giant_component()[:1], 3)
seeds = {"rng": np.random.default_rng(2), "environment_rng": np.random.default_rng(3)}
simulate = {
    "IC delays": lambda: ic.simulate(graph, sources, size, edges="fixed", probability=0.2, **seeds),
    "IC random": lambda: ic.simulate(graph, sources, size, order="random", edges="fixed", probability=0.2, **seeds),
    "SI": lambda: si.simulate(graph, sources, size, **seeds),
    "LT": lambda: lt.simulate(graph, sources, size, high=0.2, **seeds),
}[sys.argv[1]]
start = time.process_time()
reached = int(simulate().cascades.lengths.max())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
print(reached, (time.process_time() - start) / 3, peak)
"""


@pytest.mark.parametrize("name", ["IC delays", "IC random", "SI", "LT"])
def test_a_million_users_on_ten_million_links(name: str) -> None:
    """Three whole cascades, in a process of its own; its progress comes on stderr."""
    output = subprocess.check_output([sys.executable, "-c", LARGE, name], text=True)
    reached, seconds, peak = map(float, output.split())
    print(f"{name}, {reached:.0f} users: {seconds:.2f} s per cascade, peak {peak:.2f} GiB (limit {LIMIT})", flush=True)
    assert peak < LIMIT
