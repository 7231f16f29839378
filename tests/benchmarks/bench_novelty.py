"""Speed of distances against networkx on the same pairs, and the large case: time and memory."""

import resource
import time
from collections.abc import Callable

import networkx
import numpy as np
import pytest

from cascurve.graph import Graph
from cascurve.novelty.distances import distances


def seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def random_graph(n: int, links: int, *, heavy: bool = False) -> Graph:
    """Uniform links, or degrees with a Pareto tail on both sides."""
    rng = np.random.default_rng(1)
    if not heavy:
        return Graph.from_edges(n, *rng.integers(0, n, (2, links), dtype=np.int32), directed=True)
    steps = np.cumsum(1 + rng.pareto(1.5, n))
    tail, head = (np.searchsorted(steps, rng.random(links) * steps[-1]).astype(np.int32) for _ in range(2))
    return Graph.from_edges(n, tail, rng.permutation(n).astype(np.int32)[head], directed=True)


def pairs(n: int, targets: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    return np.repeat(rng.choice(n, targets, replace=False), 10), rng.integers(0, n, 10 * targets)


@pytest.mark.parametrize("heavy", [False, True], ids=["uniform", "heavy tails"])
def test_distances_against_networkx(heavy) -> None:
    graph = random_graph(20_000, 200_000, heavy=heavy)
    net = networkx.DiGraph()
    net.add_nodes_from(range(graph.n_nodes))
    net.add_edges_from(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True))
    sources, ends = pairs(graph.n_nodes, 100)
    distances(graph, sources, ends)  # compiled
    found: dict[str, list[int]] = {}

    def ours() -> None:
        found["ours"] = distances(graph, sources, ends).tolist()

    def by_source() -> None:
        reach = {u: networkx.single_source_shortest_path_length(net, u) for u in dict.fromkeys(sources.tolist())}
        found["by source"] = [reach[u].get(v, -1) for u, v in zip(sources.tolist(), ends.tolist(), strict=True)]

    def by_pair() -> None:
        found["by pair"] = [_hops(net, u, v) for u, v in zip(sources.tolist(), ends.tolist(), strict=True)]

    own = float(np.median([seconds(ours) for _ in range(3)]))
    for name, peer in (("a search per target", by_source), ("a bidirectional search per pair", by_pair)):
        spent = seconds(peer)
        print(
            f"\ndistances of 100 × 10 pairs, 20,000 nodes, {graph.n_links} links, against networkx, {name}: "
            f"ours {own * 1e3:.1f} ms, networkx {spent * 1e3:.0f} ms, ratio {spent / own:.0f} (goal ≥ 50)"
        )
    assert found["ours"] == found["by source"] == found["by pair"]


def _hops(net: networkx.DiGraph, u: int, v: int) -> int:
    try:
        return len(networkx.bidirectional_shortest_path(net, u, v)) - 1
    except networkx.NetworkXNoPath:
        return -1


@pytest.mark.parametrize("heavy", [False, True], ids=["uniform", "heavy tails"])
def test_a_million_nodes_ten_million_links_and_a_million_pairs(heavy) -> None:
    graph = random_graph(1_000_000, 10_000_000, heavy=heavy)
    sources, ends = pairs(graph.n_nodes, 100_000)
    spent = seconds(lambda: distances(graph, sources, ends))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n100,000 × 10 pairs, 10^6 nodes, {graph.n_links} links, {'heavy tails' if heavy else 'uniform'}: "
        f"{spent:.0f} s of CPU (goal: minutes), peak of the process {peak:.0f} MB (goal < 4096)"
    )
