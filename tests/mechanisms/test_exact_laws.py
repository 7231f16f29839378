"""Mechanisms against exact laws. Each test fails by chance once in 10,000 seeds; the seeds are fixed."""

from collections import Counter
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import special, stats
from tests.mechanisms import laws

from cascurve import plugins
from cascurve.graph import Graph
from cascurve.mechanisms.simulation import Simulation

CHANCE = 1e-4
ARCS = np.array([(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 3), (3, 0), (3, 4), (4, 2)])
SMALL = Graph.from_edges(5, ARCS[:, 0], ARCS[:, 1], directed=True)


def star(leaves: int) -> Graph:
    return Graph.from_edges(leaves + 1, np.zeros(leaves), np.arange(1, leaves + 1), directed=False)


def complete(n: int) -> Graph:
    u, v = np.triu_indices(n, 1)
    return Graph.from_edges(n, u, v, directed=False)


def run(name: str, graph: Graph, source: int, count: int, length: int = 100, **parameters: Any) -> Simulation:
    simulated: Simulation = plugins.load("mechanisms", name).simulate(
        graph, np.full(count, source, np.int32), length, **parameters,
        rng=np.random.default_rng(11), environment_rng=np.random.default_rng(12),
    )  # fmt: skip
    return simulated


def column(simulated: Simulation, position: int) -> tuple[np.ndarray, np.ndarray]:
    """Users and times at one position of cascades that all reach it."""
    entries = simulated.cascades.offsets[:-1] + position
    assert simulated.cascades.times is not None
    return simulated.cascades.users[entries], simulated.cascades.times[entries]


@pytest.mark.parametrize("order", ["delays", "random", "fixed"])
def test_final_sets_of_ic(order: str) -> None:
    simulated = run("ic", SMALL, 0, 8000, order=order, edges="fixed", probability=0.4)
    law = laws.independent_cascade(SMALL, np.full(SMALL.n_links, 0.4), 0)
    assert laws.fit(simulated.cascades, law) > CHANCE


def test_links_of_chance_zero_and_one_are_certain() -> None:
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], directed=True)
    assert (run("ic", path, 0, 300, edges="fixed", probability=1.0).cascades.lengths == 4).all()
    assert (run("ic", path, 0, 300, edges="fixed", probability=0.0).cascades.lengths == 1).all()


@pytest.mark.parametrize("order", ["delays", "random"])
def test_equal_users_stand_in_random_order(order: str) -> None:
    simulated = run("ic", star(3), 0, 6000, order=order, edges="fixed", probability=1.0)
    seen = Counter(tuple(users[1:].tolist()) for users in simulated.cascades)
    assert set(seen) == set(permutations((1, 2, 3)))
    assert stats.chisquare(list(seen.values())).pvalue > CHANCE


def test_fixed_order_is_by_infector_then_id() -> None:
    arcs = np.array([(0, 3), (0, 1), (1, 4), (3, 2)])
    graph = Graph.from_edges(5, arcs[:, 0], arcs[:, 1], directed=True)
    simulated = run("ic", graph, 0, 5, order="fixed", edges="fixed", probability=1.0)
    for users in simulated.cascades:
        assert users.tolist() == [0, 1, 3, 4, 2]
    assert simulated.infectors[:5].tolist() == [-1, 0, 0, 1, 3]
    assert simulated.cascades.times is not None
    assert simulated.cascades.times[:5].tolist() == [0, 1, 1, 2, 2]


def test_a_cut_round_is_a_random_part_of_it() -> None:
    simulated = run("ic", star(5), 0, 5000, length=2, order="random", edges="fixed", probability=1.0)
    assert stats.chisquare(np.bincount(column(simulated, 1)[0], minlength=6)[1:]).pvalue > CHANCE


def test_delays_race_on_a_triangle() -> None:
    """0 reaches 1 and 2 with chance 1/2 each; 1 and 2 reach each other for sure: order and infectors of the rest."""
    arcs = np.array([(0, 1), (0, 2), (1, 2), (2, 1)])
    graph = Graph.from_edges(3, arcs[:, 0], arcs[:, 1], directed=True)
    simulated = run("ic", graph, 0, 8000, edges="bimodal", strong=1.0, weak=1.0)
    users, times = column(simulated, 1)
    assert stats.binomtest(int((users == 1).sum()), 8000).pvalue > CHANCE
    assert stats.kstest(times, "expon", args=(0, 1 / 2)).pvalue > CHANCE
    last = column(simulated, 2)[1] - times  # two clocks run for the last user, one of them the source's
    assert stats.kstest(last, "expon", args=(0, 1 / 2)).pvalue > CHANCE
    assert stats.binomtest(int((simulated.infectors[2::3] == 0).sum()), 8000).pvalue > CHANCE


@pytest.mark.parametrize("rate", [1.0, 2.5])
def test_si_on_a_complete_network(rate: float) -> None:
    """With k of n infected the next infection comes after Exp(rate k (n - k)), and is uniform among the others."""
    n = 6
    simulated = run("si", complete(n), 2, 4000, rate=rate)
    previous = np.zeros(4000)
    for k in range(1, n):
        users, times = column(simulated, k)
        assert stats.kstest(times - previous, "expon", args=(0, 1 / (rate * k * (n - k)))).pvalue > CHANCE
        assert stats.chisquare(np.bincount(users, minlength=n)[[0, 1, 3, 4, 5]]).pvalue > CHANCE
        previous = times


def test_si_on_a_star_from_a_leaf() -> None:
    """The hub after Exp(1); then the other four leaves are a race of independent Exp(1): the last is their maximum."""
    simulated = run("si", star(5), 3, 4000)
    hub, first = column(simulated, 1)
    assert (hub == 0).all()
    assert stats.kstest(first, "expon").pvalue > CHANCE
    last = column(simulated, 5)[1] - first
    assert stats.kstest(last, lambda t: (1 - np.exp(-t)) ** 4).pvalue > CHANCE


@pytest.mark.parametrize("recovery", [0.5, 2.0])
def test_final_sizes_of_sir_on_a_star(recovery: float) -> None:
    """The hub recovers at T ~ Exp(g): x = exp(-T) has density g x**(g-1), and k of d leaves have mass C(d,k) ..."""
    d = 4
    sizes = run("sir", star(d), 0, 8000, recovery=recovery).cascades.lengths
    law = [comb(d, k) * recovery * special.beta(recovery + d - k, k + 1) for k in range(d + 1)]
    assert stats.chisquare(np.bincount(sizes - 1, minlength=d + 1), 8000 * np.array(law)).pvalue > CHANCE


def test_sir_without_recovery_is_si() -> None:
    one, two = run("sir", SMALL, 0, 50, recovery=0.0).cascades, run("si", SMALL, 0, 50).cascades
    assert (one.users == two.users).all()


@pytest.mark.parametrize("graph", [SMALL, complete(5), star(4)], ids=["small", "complete", "star"])
def test_final_sets_of_lt(graph: Graph) -> None:
    assert laws.fit(run("lt", graph, 1, 8000).cascades, laws.linear_threshold(graph, 1)) > CHANCE


def test_lt_on_a_tree_passes_with_chance_one_over_degree() -> None:
    """A path in both directions: each inner node has two neighbours and passes on with chance 1/2; the end surely."""
    n = 6
    path = Graph.from_edges(n, np.arange(n - 1), np.arange(1, n), directed=False)
    sizes = run("lt", path, 0, 8000).cascades.lengths
    law = np.array([0.5**k for k in range(1, n - 1)] + [0.0, 0.5 ** (n - 2)])
    assert sizes.max() == n
    found = np.bincount(sizes, minlength=n + 1)[1:]
    assert found[n - 2] == 0
    keep = law > 0
    assert stats.chisquare(found[keep], 8000 * law[keep]).pvalue > CHANCE


def test_lt_waits_at_rate_one() -> None:
    users, times = column(run("lt", star(3), 0, 4000), 1)
    assert stats.kstest(times, "expon", args=(0, 1 / 3)).pvalue > CHANCE
    assert stats.chisquare(np.bincount(users, minlength=4)[1:]).pvalue > CHANCE


@pytest.mark.parametrize(("threshold", "size"), [(0.5, 4), (0.51, 2), (0.0, 4)])
def test_lt_with_known_thresholds(threshold: float, size: int) -> None:
    """0 -> 1, then 2 hears 0 and 3 hears 1; 2 and 3 also hear each other: half of what they hear."""
    arcs = np.array([(0, 1), (0, 2), (1, 3), (2, 3), (3, 2)])
    graph = Graph.from_edges(4, arcs[:, 0], arcs[:, 1], directed=True)
    cascades = run("lt", graph, 0, 20, low=threshold, high=threshold).cascades
    assert (cascades.lengths == size).all()


def test_ten_neighbours_times_a_decimal_threshold() -> None:
    """0.7 of 10 neighbours are 7, whatever 0.7 * 10 is in floating point."""
    arcs = [(0, k) for k in range(1, 7)] + [(k, 11) for k in range(10)] + [(10, 11)][:0]
    ends = np.array(arcs)
    graph = Graph.from_edges(12, ends[:, 0], ends[:, 1], directed=True)
    assert graph.in_degrees[11] == 10
    assert (run("lt", graph, 0, 5, low=0.7, high=0.7, thresholds="fixed").cascades.lengths == 8).all()
    assert (run("lt", graph, 0, 5, low=0.71, high=0.71).cascades.lengths == 7).all()
