"""Watts–Strogatz, block, configuration networks and the giant component: what each promises."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks import ba, configuration, er, sbm, watts_strogatz
from cascurve.networks.giant import giant_component


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("er", {}), ("er", {"model": "gnp"}), ("ba", {}), ("ba", {"model": "preferential"}), ("watts_strogatz", {}),
     ("sbm", {}), ("configuration", {}), ("configuration", {"law": "geometric"})],
)  # fmt: skip
def test_mean_degree_symmetry_and_seed(name: str, parameters: dict[str, Any]) -> None:
    generate = plugins.load("networks", name).generate
    plugins.check_parameters("networks", name, parameters, "topologies")
    graph, again = (generate(3000, 6.0, **parameters, rng=generator(2)) for _ in range(2))
    other = generate(3000, 6.0, **parameters, rng=generator(3))
    assert np.array_equal(graph.indices, again.indices)
    assert not np.array_equal(graph.indices[:1000], other.indices[:1000])
    assert abs(graph.n_links / 3000 - 6) < 0.3
    back = Graph.from_edges(3000, graph.indices, graph.edge_sources, directed=True)
    assert np.array_equal(graph.indices, back.indices)


def test_small_world_without_rewiring_is_a_ring() -> None:
    graph = watts_strogatz.generate(10, 4, rewiring=0.0, rng=generator())
    assert graph.targets(0).tolist() == [1, 2, 8, 9]
    assert (graph.out_degrees == 4).all()


def test_small_world_rewires_the_stated_share() -> None:
    n = 4000
    graph = watts_strogatz.generate(n, 6, rewiring=0.3, rng=generator())
    assert graph.n_links == 6 * n
    distance = np.abs(graph.edge_sources - graph.indices)
    kept = np.minimum(distance, n - distance) <= 3
    assert abs(kept.mean() - 0.7) < 0.02
    assert graph.out_degrees.min() >= 3  # the links that a node starts with stay its own


def test_small_world_new_ends_are_uniform() -> None:
    """Five nodes on a ring: link 0-1 moves to 2 or 3, which 0 is not linked to, if it is the only one that moves."""
    seen: Counter[int] = Counter()
    rng = generator(4)
    for _ in range(3000):
        head = watts_strogatz._rewire(5, 1, 0.2, np.uint64(rng.integers(2**63)))[0]
        if head[0] != 1 and head[1:].tolist() == [2, 3, 4, 0]:
            seen[int(head[0])] += 1
    assert set(seen) == {2, 3}
    assert stats.binomtest(seen[2], seen.total()).pvalue > 1e-4


@pytest.mark.parametrize(("degree", "rewiring", "message"), [(5, 0.1, "an even number"), (4, 1.5, "between 0 and 1")])
def test_small_world_refuses(degree: float, rewiring: float, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        watts_strogatz.generate(20, degree, rewiring=rewiring, rng=generator())


def test_blocks_mix_as_stated() -> None:
    graph = sbm.generate(1002, 10.0, blocks=3, mixing=0.25, rng=generator())
    block = np.arange(1002) // 334
    outside = block[graph.edge_sources] != block[graph.indices]
    assert abs(outside.mean() - 0.25) < 0.03
    within = Counter(block[graph.edge_sources[~outside]].tolist())
    assert stats.chisquare([count / 2 for count in within.values()]).pvalue > 1e-4


def test_separate_blocks_and_their_giant_component() -> None:
    graph = sbm.generate(200, 12.0, blocks=2, mixing=0.0, giant=True, rng=generator())
    assert graph.n_nodes == 100
    with pytest.raises(ConfigError, match="links within blocks"):
        sbm.generate(20, 15.0, blocks=10, mixing=0.0, rng=generator())


def test_regular_networks_have_one_degree() -> None:
    assert set(configuration.generate(300, 4.0, law="regular", rng=generator()).out_degrees) == {4}
    degrees = configuration.generate(3000, 2.5, law="regular", rng=generator()).out_degrees
    assert set(degrees) == {2, 3}


def test_matching_is_uniform() -> None:
    """Four nodes of degree 1: the three perfect matchings are equally likely; loops and doubles never stay."""
    rng = generator(5)
    seen = Counter(int(configuration._match(np.ones(4, np.int64), rng)[1][0]) for _ in range(10))
    pairs: Counter[int] = Counter()
    for _ in range(3000):
        low, high = configuration._match(np.ones(4, np.int64), rng)
        pairs[int(high[low == 0][0])] += 1
    assert seen.total() == 10
    assert stats.chisquare([pairs[node] for node in (1, 2, 3)]).pvalue > 1e-4


def test_configuration_laws() -> None:
    degrees = configuration.generate(20_000, 3.0, law="geometric", rng=generator()).out_degrees
    share = np.bincount(degrees, minlength=6)[1:5] / 20_000
    np.testing.assert_allclose(share, stats.geom(1 / 3).pmf([1, 2, 3, 4]), atol=0.015)
    power = configuration.generate(20_000, 6.0, exponent=2.5, rng=generator()).out_degrees
    weights = np.arange(1, 20_001) ** (-1 / 1.5)
    assert abs(power[0] - 6 * weights[0] / weights.mean()) <= 1
    with pytest.raises(ConfigError, match="at least 1"):
        configuration.generate(100, 0.5, law="geometric", rng=generator())


def test_giant_component_is_numbered_anew() -> None:
    graph = giant_component(Graph.from_edges(7, [1, 3, 3, 0], [3, 5, 6, 2], directed=True))
    assert graph.n_nodes == 4  # 1, 3, 5, 6
    assert [graph.targets(node).tolist() for node in range(4)] == [[1], [2, 3], [], []]


@pytest.mark.parametrize("generate", [er.generate, ba.generate])
def test_giant_component_option(generate: Any) -> None:
    whole, giant = (generate(300, 2.0, giant=kept, rng=generator()) for kept in (False, True))
    assert giant.n_nodes == len(whole.giant_component()) < 300
    assert len(giant.giant_component()) == giant.n_nodes
