"""Networks of a million nodes and their sparse rows, against igraph and networkx.

Run: ``make bench``. Processor time, medians; ours and the peer take turns.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from cascurve.networks import ba, er

NODES, DEGREE, ROUNDS = 1_000_000, 10.0, 3
LINKS = int(NODES * DEGREE / 2)


def seconds(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def race(name: str, ours: Callable[[], Any], peer: Callable[[], Any], goal: str, rounds: int = ROUNDS) -> None:
    ours()  # compiles
    times = [(seconds(ours), seconds(peer)) for _ in range(rounds)]
    own, other = (1000 * statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name}: ours {own:.0f} ms, peer {other:.0f} ms, ratio {other / own:.1f} ({goal})", flush=True)


def generator() -> np.random.Generator:
    return np.random.default_rng(1)


OURS: dict[str, Callable[[], Any]] = {
    "ER G(n,m)": lambda: er.generate(NODES, DEGREE, rng=generator()),
    "ER G(n,p)": lambda: er.generate(NODES, DEGREE, model="gnp", rng=generator()),
    "BA preferential": lambda: ba.generate(NODES, DEGREE, model="preferential", rng=generator()),
    "BA static": lambda: ba.generate(NODES, DEGREE, rng=generator()),
}


@pytest.mark.parametrize("name", OURS)
def test_against_igraph(name: str) -> None:
    """igraph makes no sparse rows here; only ours do."""
    igraph = pytest.importorskip("igraph").Graph
    peers = {
        "ER G(n,m)": lambda: igraph.Erdos_Renyi(n=NODES, m=LINKS),
        "ER G(n,p)": lambda: igraph.Erdos_Renyi(n=NODES, p=DEGREE / (NODES - 1)),
        "BA preferential": lambda: igraph.Barabasi(NODES, int(DEGREE / 2)),
        "BA static": lambda: igraph.Static_Power_Law(NODES, LINKS, 3.0, finite_size_correction=False),
    }
    race(f"{name}, igraph", OURS[name], peers[name], "goal ≥ 5")


@pytest.mark.parametrize("name", ["ER G(n,p)", "BA preferential"])
def test_against_networkx(name: str) -> None:
    peers: dict[str, Callable[[], Any]] = {
        "ER G(n,p)": lambda: nx.fast_gnp_random_graph(NODES, DEGREE / (NODES - 1), seed=1),
        "BA preferential": lambda: nx.barabasi_albert_graph(NODES, int(DEGREE / 2), seed=1),
    }
    race(f"{name}, networkx", OURS[name], peers[name], "goal ≥ 50", rounds=1)
