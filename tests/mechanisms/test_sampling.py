"""The data set of a cell: lengths, balance, streams, and what is said of cells that cannot be made."""

from typing import Any

import numpy as np
import pytest

from cascurve.errors import CellError, ConfigError
from cascurve.graph import Graph
from cascurve.mechanisms.edge_probabilities import edge_probabilities
from cascurve.mechanisms.sampling import Sampled, sample
from cascurve.mechanisms.sources import choose_sources
from cascurve.networks import er


def network(n: int = 200, degree: float = 6.0) -> Graph:
    return er.generate(n, degree, rng=np.random.default_rng(1))


def draw(graph: Graph, mechanism: str = "ic", length: int = 20, **changes: Any) -> Sampled:
    settings: dict[str, Any] = {
        "parameters": {}, "sources": 10, "n_train": 60, "n_test": 40, "min_reach": 0.02,
        "rng": np.random.default_rng(3), "environment_rng": np.random.default_rng(2),
    } | changes  # fmt: skip
    return sample(graph, mechanism, length, **settings)


def test_lengths_numbers_and_balance() -> None:
    sampled = draw(network())
    train, test = sampled.dataset.train, sampled.dataset.test
    assert (len(train), len(test), sampled.sources) == (60, 40, 10)
    assert set(train.lengths) | set(test.lengths) == {20}
    assert set(np.unique(train.sources, return_counts=True)[1]) == {6}
    assert set(np.unique(test.sources, return_counts=True)[1]) == {4}
    assert sampled.tries >= 100
    assert sampled.cold_source_share == 0


def test_same_generators_same_data_whatever_else_was_drawn() -> None:
    rng, environment = np.random.default_rng(3), np.random.default_rng(2)
    one = draw(network(), rng=rng, environment_rng=environment)
    two = draw(network(), rng=rng, environment_rng=environment)
    assert (one.dataset.train.users == two.dataset.train.users).all()
    assert (one.dataset.train.users != draw(network(), rng=np.random.default_rng(4)).dataset.train.users).any()


def test_more_test_cascades_leave_the_training_ones_alone() -> None:
    few, many = draw(network(), n_test=10), draw(network(), n_test=200)
    assert (few.dataset.train.users == many.dataset.train.users).all()
    assert (few.dataset.test.users == many.dataset.test.take(np.arange(10)).users).all()


def test_all_lengths_share_sources_and_link_probabilities() -> None:
    """Links with chance 0 or 1 only: every cascade runs along the same certain links."""
    graph = network()
    parameters = {"strong": 1.0, "weak": 0.0}
    chances = edge_probabilities(graph, "bimodal", environment_rng=np.random.default_rng(2), **parameters)
    certain = set(zip(graph.edge_sources[chances == 1], graph.indices[chances == 1], strict=True))
    seen = set()
    for length in (5, 15):
        dataset = draw(graph, length=length, parameters=parameters, sources=3, min_reach=0.0).dataset
        seen.add(tuple(np.unique(dataset.train.sources)))
        for users in (*dataset.train, *dataset.test):
            for position in range(1, length):
                assert any((users[before], users[position]) in certain for before in range(position))
    assert len(seen) == 1


def test_reach_probability_is_the_share_of_first_tries() -> None:
    """A star's hub reaches L = 2 through one of four links of chance 1/2: 1 - 1/16; a leaf through its one: 1/2."""
    star = Graph.from_edges(5, [0, 0, 0, 0], [1, 2, 3, 4], directed=False)
    sampled = draw(star, length=2, sources="all", n_train=4000, n_test=1000,
                   parameters={"edges": "fixed", "probability": 0.5})  # fmt: skip
    exact = (15 / 16 + 4 / 2) / 5
    assert abs(sampled.reach_probability - exact) < 4 * np.sqrt(exact * (1 - exact) / 5000)
    expected_tries = (16 / 15 + 4 * 2) / 5
    assert abs(sampled.tries / 5000 - expected_tries) < 0.1


def test_a_hopeless_cell_ends_with_its_estimate() -> None:
    with pytest.raises(CellError, match=r"reach 50 users with an estimated probability of 0.00% \(0 of 100 first"):
        draw(network(), length=50, parameters={"edges": "fixed", "probability": 0.01})


def test_a_source_that_reaches_too_rarely_is_passed_over() -> None:
    """Three users are reached from node 2 only: 0 and 1 reach each other and no one else."""
    core = Graph.from_edges(3, [0, 1, 2], [1, 0, 0], directed=True)
    assert draw(core, "si", 2, sources="all").sources == 3
    for sources, skipped in (("all", 2), ("one", 2), (1, 2)):
        sampled = draw(core, "si", 3, sources=sources)
        assert (sampled.sources, sampled.skipped_sources) == (1, skipped)
        assert set(sampled.dataset.test.sources) == {2}
    with pytest.raises(CellError, match="only 1 of the 3 nodes to start from reach the length"):
        draw(core, "si", 3, sources=3)


def test_cold_and_duplicate_shares() -> None:
    """On a directed ring every cascade is determined by its source: each warm test cascade is a duplicate."""
    ring = Graph.from_edges(50, np.arange(50), (np.arange(50) + 1) % 50, directed=True)
    sampled = draw(ring, "si", 5, sources="all", n_train=20, n_test=50)
    assert sampled.cold_source_share == pytest.approx(30 / 50)
    assert sampled.duplicate_share == pytest.approx(20 / 50)


def test_sources_are_nodes_of_the_giant_component() -> None:
    graph = Graph.from_edges(10, [0, 1, 2, 5], [1, 2, 3, 6], directed=False)
    rng = np.random.default_rng(1)
    assert sorted(choose_sources(graph, "all", environment_rng=rng)) == [0, 1, 2, 3]
    assert len(choose_sources(graph, "one", environment_rng=rng)) == 1
    with pytest.raises(CellError, match="has 4 nodes to start from, fewer than the 5 asked for"):
        choose_sources(graph, 5, environment_rng=rng)


def test_parameters_of_another_edge_scheme_are_refused() -> None:
    with pytest.raises(ConfigError, match="edges 'bimodal' takes strong, weak, strong_share"):
        draw(network(), parameters={"probability": 0.3})
