"""Mechanisms against independent simulators, by two-sample tests; each fails by chance once in 10,000 seeds."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy import stats

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.networks import er

pytestmark = pytest.mark.slow
N = 200
GRAPH = er.generate(N, 5.0, rng=np.random.default_rng(1))
SOURCE = int(GRAPH.giant_component()[3])
CHANCE = 1e-4


def network() -> "nx.Graph[int]":
    graph: nx.Graph[int] = nx.empty_graph(N)
    graph.add_edges_from(zip(GRAPH.edge_sources.tolist(), GRAPH.indices.tolist(), strict=True))
    return graph


def ours(name: str, count: int, **parameters: Any) -> CascadeSet:
    cascades: CascadeSet = plugins.load("mechanisms", name).simulate(
        GRAPH, np.full(count, SOURCE, np.int32), N, **parameters,
        rng=np.random.default_rng(5), environment_rng=np.random.default_rng(6),
    ).cascades  # fmt: skip
    return cascades


def assert_same_sizes(mine: np.ndarray, peers: list[int]) -> None:
    """Final sizes in ten classes of about equal weight."""
    both = np.concatenate([mine, peers])
    edges = np.unique(np.quantile(both, np.linspace(0, 1, 11)[1:-1]))
    table = [np.bincount(np.searchsorted(edges, sizes), minlength=len(edges) + 1) for sizes in (mine, peers)]
    table = [row[np.sum(table, axis=0) > 0] for row in table]
    assert stats.chi2_contingency(np.array(table)).pvalue > CHANCE


@pytest.mark.parametrize("method", ["fast_SIR", "Gillespie_SIR"])
@pytest.mark.parametrize(("name", "recovery"), [("si", 0.0), ("sir", 1.0)])
def test_epidemics_against_eon(name: str, recovery: float, method: str) -> None:
    simulate = getattr(pytest.importorskip("EoN"), method)
    graph, sizes, halfway = network(), [], []
    for _ in range(600):
        times, susceptible, *_ = simulate(graph, 1.0, recovery, initial_infecteds=[SOURCE])
        infections = times[1:][np.diff(susceptible) < 0]
        sizes.append(len(infections) + 1)
        halfway.append(infections[58] if len(infections) >= 59 else np.inf)  # the 60th user
    parameters = {"recovery": recovery} if name == "sir" else {}
    cascades = ours(name, 3000, **parameters)
    assert cascades.times is not None
    if recovery:
        assert_same_sizes(cascades.lengths, sizes)
    mine = [float(cascades.times[a + 59]) for a, b in zip(cascades.offsets, cascades.offsets[1:], strict=False)
            if b - a >= 60]  # fmt: skip
    assert stats.ks_2samp(mine, [time for time in halfway if time < np.inf]).pvalue > CHANCE


@pytest.mark.parametrize("order", ["delays", "random", "fixed"])
def test_final_sizes_of_ic_against_cynetdiff(order: str) -> None:
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_ic_model(network(), activation_prob=0.3, rng=np.random.default_rng(7))
    assert_same_sizes(ours("ic", 5000, order=order, edges="fixed", probability=0.3).lengths, peer_sizes(model))


def test_final_sizes_of_lt_against_cynetdiff() -> None:
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_lt_model(network().to_directed(), rng=np.random.default_rng(7))
    assert_same_sizes(ours("lt", 5000).lengths, peer_sizes(model))


def peer_sizes(model: Any) -> list[int]:
    model.set_seeds([SOURCE])
    sizes = []
    for _ in range(5000):
        model.reset_model()
        model.advance_until_completion()
        sizes.append(model.get_num_activated_nodes())
    return sizes
