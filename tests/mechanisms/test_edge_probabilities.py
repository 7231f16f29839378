"""Link probabilities: the values and shares of each scheme."""

import numpy as np
import pytest

from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.mechanisms.edge_probabilities import TRIVALENCY, edge_probabilities
from cascurve.networks import er

GRAPH = er.generate(2000, 10, rng=np.random.default_rng(1))


def test_bimodal_shares_and_independent_directions() -> None:
    chances = edge_probabilities(GRAPH, "bimodal", environment_rng=np.random.default_rng(2))
    assert set(chances) == {0.95, 0.02}
    strong = chances == 0.95
    assert abs(strong.mean() - 0.4) < 4 * np.sqrt(0.24 / GRAPH.n_links)
    ends = zip(GRAPH.edge_sources.tolist(), GRAPH.indices.tolist(), strict=True)
    place = {pair: link for link, pair in enumerate(ends)}
    back = np.array([place[v, u] for u, v in place])
    both = (strong & strong[back]).mean()
    assert abs(both - 0.16) < 0.012


def test_the_same_environment_gives_the_same_values_and_is_not_advanced() -> None:
    environment = np.random.default_rng(2)
    one, two = (edge_probabilities(GRAPH, "uniform", environment_rng=environment) for _ in range(2))
    assert (one == two).all()
    assert environment.random() == np.random.default_rng(2).random()


def test_fixed_uniform_and_trivalency() -> None:
    rng = np.random.default_rng(3)
    assert set(edge_probabilities(GRAPH, "fixed", environment_rng=rng, probability=0.2)) == {0.2}
    uniform = edge_probabilities(GRAPH, "uniform", environment_rng=rng, low=0.2, high=0.4)
    assert 0.2 <= uniform.min() < 0.201
    assert 0.399 < uniform.max() < 0.4
    values, counts = np.unique(edge_probabilities(GRAPH, "trivalency", environment_rng=rng), return_counts=True)
    assert tuple(values[::-1]) == TRIVALENCY
    assert np.abs(counts / GRAPH.n_links - 1 / 3).max() < 0.02


def test_weighted_cascade_sums_to_one_per_target() -> None:
    graph = Graph.from_edges(4, [0, 1, 2, 3], [3, 3, 3, 0], directed=True)
    chances = edge_probabilities(graph, "weighted", environment_rng=np.random.default_rng(1))
    np.testing.assert_allclose(chances, [1 / 3, 1 / 3, 1 / 3, 1.0])


@pytest.mark.parametrize(
    ("scheme", "given", "message"),
    [
        ("fixed", {"strong": 0.5}, "'strong': found 0.5, expected no value: edges 'fixed' takes probability"),
        ("fixed", {"probability": 1.5}, "between 0 and 1"),
        ("uniform", {"low": 0.5, "high": 0.2}, "at most 'high'"),
        ("weighted", {"low": 0.5}, "takes no parameters"),
    ],
)
def test_what_does_not_fit_is_refused(scheme: str, given: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        edge_probabilities(GRAPH, scheme, environment_rng=np.random.default_rng(1), **given)  # type: ignore[arg-type]
