"""Mechanisms against independent simulators (EoN, cynetdiff), by two-sample tests.

All tests of this file together fail by chance once in 1,000 seeds (Bonferroni); the seeds are fixed.
"""

import random
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.networks import er

pytestmark = pytest.mark.slow
N = 200
GRAPH = er.generate(N, 5.0, rng=np.random.default_rng(1))
SOURCE = int(GRAPH.giant_component()[3])
FALSE_ALARM = 1e-3
TESTS = 4 * 3 + 3 * 2 + 2
"""SI and SIR by two methods of EoN: times, users, and sizes or last times; IC in three orders and LT: sizes, users."""


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


def assert_same(pvalue: float) -> None:
    assert pvalue > FALSE_ALARM / TESTS


def assert_same_counts(mine: NDArray[np.int64], peers: NDArray[np.int64]) -> None:
    """Two rows of a contingency table; rare classes are pooled."""
    table = np.array([mine, peers])
    common = table.sum(axis=0) * min(table.sum(axis=1)) >= 10 * table.sum()
    pooled = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    assert_same(stats.chi2_contingency(pooled[:, pooled.sum(axis=0) > 0]).pvalue)


def assert_same_sizes(mine: NDArray[np.int64], peers: NDArray[np.int64]) -> None:
    """Final sizes in ten classes of about equal weight."""
    edges = np.unique(np.quantile(np.concatenate([mine, peers]), np.linspace(0, 1, 11)[1:-1]))
    assert_same_counts(*(np.bincount(np.searchsorted(edges, x), minlength=len(edges) + 1) for x in (mine, peers)))


def at(cascades: CascadeSet, position: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Users and times at a position, of the cascades that reach it."""
    assert cascades.times is not None
    places = cascades.offsets[:-1][cascades.lengths > position] + position
    return cascades.users[places], cascades.times[places]


@pytest.mark.parametrize("method", ["fast_SIR", "Gillespie_SIR"])
@pytest.mark.parametrize(("name", "recovery"), [("si", 0.0), ("sir", 1.0)])
def test_epidemics_against_eon(name: str, recovery: float, method: str) -> None:
    """The 60th user's time, who is the fourth user, and the final size or, in SI, the time of the last user."""
    simulate = getattr(pytest.importorskip("EoN"), method)
    random.seed(8)
    np.random.seed(8)
    graph, runs = network(), []
    for _ in range(600):
        epidemic = simulate(graph, 1.0, recovery, initial_infecteds=[SOURCE], return_full_data=True)
        runs.append([(time, user) for time, _, user in epidemic.transmissions()])
    peer = CascadeSet.of([[u for _, u in run] for run in runs], N, [[max(t, 0.0) for t, _ in run] for run in runs])
    mine = ours(name, 5000, **({"recovery": recovery} if name == "sir" else {}))
    assert_same(stats.ks_2samp(at(mine, 59)[1], at(peer, 59)[1]).pvalue)
    assert_same_counts(*(np.bincount(at(cascades, 3)[0], minlength=N) for cascades in (mine, peer)))
    if name == "sir":
        assert_same_sizes(mine.lengths, peer.lengths)
    else:
        last = int(mine.lengths.min()) - 1
        assert set(mine.lengths) == set(peer.lengths) == {last + 1}
        assert_same(stats.ks_2samp(at(mine, last)[1], at(peer, last)[1]).pvalue)


def witnesses(users: set[int]) -> int:
    """Which of three users a cascade reached: two neighbours of the source, and one that is none; 0 to 7."""
    return sum(2**bit for bit, user in enumerate([*GRAPH.targets(SOURCE)[:2], 100]) if user in users)


def assert_same_as(model: Any, mine: CascadeSet) -> None:
    """Final sizes, and which of the witnesses were reached."""
    model.set_seeds([SOURCE])
    reached = []
    for _ in range(len(mine)):
        model.reset_model()
        model.advance_until_completion()
        reached.append(set(model.get_activated_nodes()))
    assert_same_sizes(mine.lengths, np.array(list(map(len, reached))))
    counts = [Counter(map(witnesses, sets)) for sets in (map(set, mine), reached)]
    assert_same_counts(*(np.array([count[pattern] for pattern in range(8)]) for count in counts))


@pytest.mark.parametrize("order", ["delays", "random", "fixed"])
def test_final_sets_of_ic_against_cynetdiff(order: str) -> None:
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_ic_model(network(), activation_prob=0.3, rng=np.random.default_rng(7))
    assert_same_as(model, ours("ic", 10_000, order=order, edges="fixed", probability=0.3))


def test_final_sets_of_lt_against_cynetdiff() -> None:
    utils = pytest.importorskip("cynetdiff.utils")
    model, _ = utils.networkx_to_lt_model(network().to_directed(), rng=np.random.default_rng(7))
    assert_same_as(model, ours("lt", 10_000))
