"""Distances against networkx, whichever side searches and however many candidates there are."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.graph import Graph
from cascurve.novelty.distances import distances


def twin(graph: Graph, sources, targets) -> list[int]:
    net = networkx.DiGraph()
    net.add_nodes_from(range(graph.n_nodes))
    net.add_edges_from(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True))
    reach = {u: networkx.single_source_shortest_path_length(net, u) for u in {*sources} if u in net}
    return [0 if u == v else reach.get(u, {}).get(v, -1) for u, v in zip(sources, targets, strict=True)]


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.floats(0.0, 4.0), st.integers(0, 80))
def test_equals_networkx(seed, n, degree, pairs) -> None:
    rng = np.random.default_rng(seed)
    graph = Graph.from_edges(n, *rng.integers(0, n, (2, int(n * degree))), directed=bool(seed % 2))
    few = rng.integers(0, n + 2, 3)
    many = rng.integers(0, n + 2, (2, pairs))
    sources, targets = [(many[0], many[1]), (few[many[0] % 3], many[1]), (many[0], few[many[1] % 3])][seed % 3]
    found = distances(graph, sources, targets)
    assert found.tolist() == twin(graph, sources.tolist(), targets.tolist())


@pytest.mark.parametrize("side", [0, 1])
def test_a_long_path_and_a_hub(side) -> None:
    path = Graph.from_edges(500, np.arange(499), np.arange(1, 500), directed=True)
    ends = np.array([0, 0, 3, 499]), np.array([499, 250, 2, 0])
    assert distances(path, *ends).tolist() == [499, 250, -1, -1]
    hub = Graph.from_edges(400, np.zeros(399, int), np.arange(1, 400), directed=False)
    sources = np.arange(1, 300)
    pairs = (sources, np.roll(sources, 1)) if side else (np.roll(sources, 1), sources)
    assert distances(hub, *pairs).tolist() == [2] * 299
