"""`Graph` against networkx."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.errors import DataError
from cascurve.graph import Graph

edge_lists = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=60)


@given(edge_lists, st.booleans())
def test_from_edges_equals_networkx(edges: list[tuple[int, int]], directed: bool) -> None:
    oracle = nx.DiGraph() if directed else nx.Graph()
    oracle.add_nodes_from(range(15))
    oracle.add_edges_from((u, v) for u, v in edges if u != v)
    ends = np.array(edges, int).reshape(-1, 2)
    graph = Graph.from_edges(15, ends[:, 0], ends[:, 1], directed=directed)
    for node in range(15):
        assert graph.targets(node).tolist() == sorted(oracle.adj[node])
    assert graph.in_degrees.tolist() == [oracle.to_directed().in_degree(node) for node in range(15)]
    giant = max(nx.connected_components(oracle.to_undirected()), key=lambda part: (len(part), -min(part)))
    assert set(graph.giant_component().tolist()) == giant
    other = Graph.from_networkx(oracle)
    np.testing.assert_array_equal(graph.indices, other.indices)


def test_round_trip_keeps_isolated_nodes(tmp_path) -> None:
    graph = Graph.from_edges(7, [0, 5], [5, 2], directed=True)
    graph.write(tmp_path / "g.parquet")
    back = Graph.read(tmp_path / "g.parquet")
    np.testing.assert_array_equal(back.indptr, graph.indptr)
    np.testing.assert_array_equal(back.indices, graph.indices)


def test_breaches_are_named() -> None:
    with pytest.raises(DataError, match="link target out of range: ids run from 0 to 2"):
        Graph.from_edges(3, [0], [3], directed=True)
    with pytest.raises(DataError, match="links of node 0"):
        Graph(2, np.array([0, 1, 1]), np.array([0], np.int32))
    with pytest.raises(DataError, match="networkx"):
        Graph.from_networkx(nx.Graph([(3, 4)]))
