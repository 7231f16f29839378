"""The oracle's chances against exact laws and simulation, and what knows the network only."""

from itertools import permutations
from typing import Any

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import CellError
from cascurve.graph import Graph
from cascurve.models import oracle, pagerank, shortest_path
from cascurve.models.interface import Spreading, train
from cascurve.models.oracle_exact import inclusion

ARCS = np.array([(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 3), (3, 0), (3, 4), (4, 2)])
SMALL = Graph.from_edges(5, ARCS[:, 0], ARCS[:, 1], directed=True)
RNG = np.random.default_rng(0)


def fitted(graph: Graph, length: int, mechanism: str = "ic", **parameters: Any) -> oracle.Fitted:
    model = oracle.Model(**{key: parameters.pop(key) for key in ("simulations", "states") if key in parameters})
    cascades = CascadeSet.of([list(range(length))], n_users=graph.n_nodes)
    known = Spreading(mechanism, parameters, np.random.default_rng(12))
    return train(model, cascades, graph=graph, rng=np.random.default_rng(11), spreading=known)


def orders(graph: Graph, source: int, length: int) -> dict[tuple[int, ...], float]:
    """Law of the first users in SI: the next one is a uniform pick among the links that lead out."""
    law = {}
    for rest in permutations(set(range(graph.n_nodes)) - {source}, length - 1):
        users, chance = [source], 1.0
        for user in rest:
            out = [v for u in users for v in graph.targets(u).tolist() if v not in users]
            chance *= out.count(user) / len(out) if out else 0
            users.append(user)
        law[tuple(users)] = chance
    return law


def test_si_is_the_law_of_all_orders() -> None:
    for length in (2, 3, 4):
        expected = np.zeros(5)
        for users, chance in orders(SMALL, 0, length).items():
            expected[list(users)] += chance
        chances, errors = fitted(SMALL, length, "si").chance_of(0)
        np.testing.assert_allclose(chances, expected, atol=1e-12)
        assert not errors.any()


@pytest.mark.parametrize("length", [2, 3, 4])
def test_exact_chances_of_ic_are_what_simulation_tends_to(length: int) -> None:
    """On five users; given that the cascade reaches the length. Four standard errors, fixed seed."""
    law = {"edges": "uniform", "low": 0.1, "high": 0.9}
    exact, _ = fitted(SMALL, length, **law).chance_of(0)
    drawn, errors = fitted(SMALL, length, states=0, simulations=20_000, **law).chance_of(0)
    assert exact.sum() == pytest.approx(length)
    assert (np.abs(drawn - exact) <= 4 * errors + 1e-9).all()
    assert errors.max() > 0


def test_a_path_by_hand() -> None:
    """0 - 1 - 2 - 3, from 1, three users: first 0 or 2 alike; after 0 comes 2, after 2 comes 0 or 3 alike."""
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], directed=False)
    np.testing.assert_allclose(inclusion(path, np.ones(6), 1, 3, 100), [0.75, 1, 1, 0.25])


def test_a_long_tree_is_exact_and_too_many_states_are_not_tried() -> None:
    line = Graph.from_edges(60, np.arange(59), np.arange(1, 60), directed=False)
    chances, errors = fitted(line, 20, edges="fixed", probability=1.0).chance_of(30)
    assert not errors.any()
    np.testing.assert_allclose(chances[30 - 19 : 31], chances[30:50][::-1])
    assert inclusion(line, np.ones(118), 30, 20, 5) is None


def test_where_none_reaches_the_length_the_shorter_ones_count() -> None:
    path = Graph.from_edges(4, [0, 1], [1, 2], directed=True)
    np.testing.assert_allclose(inclusion(path, np.array([0.5, 0.5]), 0, 4, 100), [1, 0.5, 0.25, 0])
    drawn, errors = fitted(path, 4, states=0, edges="fixed", probability=0.5, simulations=4000).chance_of(0)
    assert (np.abs(drawn - [1, 0.5, 0.25, 0]) <= 4 * errors + 1e-9).all()


@pytest.mark.parametrize("mechanism", ["lt", "sir"])
def test_mechanisms_without_an_exact_law_are_simulated(mechanism: str) -> None:
    chances, errors = fitted(SMALL, 3, mechanism, simulations=500).chance_of(0)
    assert chances[0] == 1
    assert errors[0] == 0
    assert errors[1:].max() > 0


def test_the_oracle_knows_the_very_links_of_the_cascades() -> None:
    """Links drawn once per network, strong or never: it ranks highest whom the cascades do reach."""
    graph = Graph.from_edges(40, np.arange(40), (np.arange(40) + 1) % 40, directed=False)
    law = {"strong": 1.0, "weak": 0.0, "strong_share": 0.7}
    simulated = plugins.load("mechanisms", "ic").simulate(
        graph, np.full(50, 3, np.int32), 40, rng=RNG, environment_rng=np.random.default_rng(12), **law
    )
    reached = np.unique(simulated.cascades.users)
    chances, _ = fitted(graph, len(reached), **law).chance_of(3)
    assert np.flatnonzero(chances > 0).tolist() == reached.tolist()


@pytest.mark.parametrize("module", [oracle, shortest_path, pagerank], ids=["oracle", "shortest_path", "pagerank"])
def test_what_is_not_known_is_said(module: Any) -> None:
    cascades = CascadeSet.of([[0, 1]], n_users=5)
    with pytest.raises(CellError, match="links"):
        train(module.Model(), cascades, graph=None, rng=RNG)
    if module is oracle:
        with pytest.raises(CellError, match="real cascades"):
            train(module.Model(), cascades, graph=SMALL, rng=RNG)


def topology(graph: Graph) -> networkx.DiGraph:
    network = networkx.DiGraph()
    network.add_nodes_from(range(graph.n_nodes))
    network.add_edges_from(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True))
    return network


def some_graph() -> Graph:
    rng = np.random.default_rng(3)
    return Graph.from_edges(30, rng.integers(0, 30, 50), rng.integers(0, 30, 50), directed=True)


def test_shortest_paths_are_those_of_networkx() -> None:
    graph = some_graph()
    scores = shortest_path.Model().fit(TWO, graph=graph, rng=RNG).score(TWO)
    for row, prefix in zip(scores, TWO, strict=True):
        lengths = networkx.multi_source_dijkstra_path_length(topology(graph), set(prefix.tolist()))
        assert row.tolist() == [-lengths.get(user, 30) for user in range(30)]


def test_pagerank_is_that_of_networkx() -> None:
    graph = some_graph()
    scores: NDArray[np.float32] = pagerank.Model(tolerance=1e-12).fit(TWO, graph=graph, rng=RNG).score(TWO)
    for row, prefix in zip(scores, TWO, strict=True):
        home = dict.fromkeys(prefix.tolist(), 1.0)
        expected = networkx.pagerank(topology(graph), personalization=home, tol=1e-12, max_iter=1000)
        np.testing.assert_allclose(row, [expected[user] for user in range(30)], rtol=1e-4, atol=1e-9)


TWO = CascadeSet.of([[0], [4, 7, 9]], n_users=30)
