"""Sources: from the giant component, or from where a directed network can be reached."""

import numpy as np
import pytest

from cascurve.errors import CellError
from cascurve.graph import Graph
from cascurve.mechanisms.sources import candidates, choose_sources


def arcs(n: int, *pairs: tuple[int, int], directed: bool = True) -> Graph:
    return Graph.from_edges(n, [u for u, _ in pairs], [v for _, v in pairs], directed=directed)


def test_sources_are_nodes_of_the_giant_component() -> None:
    graph = arcs(10, (0, 1), (1, 2), (2, 3), (5, 6), directed=False)
    rng = np.random.default_rng(1)
    assert sorted(choose_sources(graph, "all", environment_rng=rng)) == [0, 1, 2, 3]
    assert len(choose_sources(graph, "one", environment_rng=rng)) == 1
    with pytest.raises(CellError, match="has 4 nodes to start from, fewer than the 5 asked for"):
        choose_sources(graph, 5, environment_rng=rng)


def test_directed_sources_reach_the_largest_cycle() -> None:
    """0 -> 1 -> 2 -> 0 is the core; 3 leads into it, 4 and 5 lead out, 6 hangs on 5."""
    graph = arcs(8, (0, 1), (1, 2), (2, 0), (3, 0), (2, 4), (4, 5), (6, 5))
    assert candidates(graph).tolist() == [0, 1, 2, 3]


def test_without_cycles_sources_have_a_link() -> None:
    assert candidates(arcs(5, (0, 1), (1, 2), (3, 2))).tolist() == [0, 1, 3]


def test_each_node_is_equally_likely() -> None:
    graph = arcs(4, (0, 1), (1, 2), (2, 3), directed=False)
    drawn = [int(choose_sources(graph, 1, environment_rng=np.random.default_rng(seed))[0]) for seed in range(800)]
    assert np.abs(np.bincount(drawn, minlength=4) / 800 - 0.25).max() < 0.06
