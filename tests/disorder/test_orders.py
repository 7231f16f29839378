"""Kendall's τ and W, Mallows, Plackett–Luce and Jaccard, against SciPy, exact laws and values by hand."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from scipy import optimize, stats
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder import jaccard, kendall_tau, kendall_w, mallows, plackett_luce
from cascurve.disorder.reading import read_off

RNG = np.random.default_rng(0)
COMPLETE = twins.random_set(6, 9, 6, seed=4)
FIXED = CascadeSet.of([[3, 0, 1, 2]] * 8)
RANKS = np.array([np.argsort(users) for users in COMPLETE])


def mallows_set(n_users: int, m: int, phi: float, seed: int = 0) -> CascadeSet:
    """Draws by repeated insertion (Doignon et al. 2004) around the order 0, 1, 2, …"""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(m):
        row: list[int] = []
        for user in range(n_users):
            weights = phi ** np.arange(user, -1, -1.0)
            row.insert(int(rng.choice(user + 1, p=weights / weights.sum())), user)
        rows.append(row)
    return CascadeSet.of(rows)


def test_tau_of_complete_rankings_is_the_mean_of_scipys() -> None:
    expected = np.mean([stats.kendalltau(a, b).statistic for a, b in combinations(RANKS, 2)])
    assert kendall_tau.measure(COMPLETE, rng=RNG).value == pytest.approx(expected)


@given(twins.cascade_sets)
def test_tau_counts_comparisons(cascades: CascadeSet) -> None:
    signs = []
    for a, b in combinations([c.tolist() for c in cascades], 2):
        signs += [
            1 if (a.index(u) < a.index(v)) == (b.index(u) < b.index(v)) else -1
            for u, v in combinations(sorted(set(a) & set(b)), 2)
        ]
    expected = np.mean(signs) if signs else math.nan
    assert kendall_tau.measure(cascades, rng=RNG).value == pytest.approx(expected, nan_ok=True)


def test_w_of_complete_rankings_is_that_of_the_friedman_test() -> None:
    m, n = RANKS.shape
    expected = stats.friedmanchisquare(*RANKS.T).statistic / (m * (n - 1))
    assert kendall_w.measure(COMPLETE, rng=RNG).value == pytest.approx(expected)


def test_a_fixed_order_is_no_disorder() -> None:
    assert kendall_tau.measure(FIXED, rng=RNG).value == 1
    assert kendall_w.measure(FIXED, rng=RNG).value == pytest.approx(1)
    assert mallows.measure(FIXED, rng=RNG).value == 0
    assert plackett_luce.measure(CascadeSet.of([[3, 0, 1, 2]] * 400), rng=RNG).value < 0.02
    assert jaccard.measure(FIXED, rng=RNG).value == 1


def test_chance_is_all_disorder() -> None:
    cascades = twins.random_set(30, 1000, 8, seed=2)
    assert kendall_tau.measure(cascades, rng=RNG).value == pytest.approx(0, abs=0.01)
    assert kendall_w.measure(cascades, rng=RNG).value == pytest.approx(29 / 7999, abs=0.005)
    assert mallows.measure(cascades, rng=RNG).value == pytest.approx(1, abs=0.05)  # the order is fitted
    assert plackett_luce.measure(cascades, rng=RNG).value == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("phi", [0.1, 0.5, 0.9])
def test_mallows_expected_swaps_equal_the_enumeration(phi: float) -> None:
    swaps = [sum(a > b for a, b in combinations(order, 2)) for order in permutations(range(4))]
    weights = [phi**each for each in swaps]
    expected = np.average(swaps, weights=weights)
    assert mallows.expected_swaps(4, phi) == pytest.approx(expected)


def test_mallows_dispersion_is_found_again() -> None:
    for phi in (0.3, 0.7):
        assert mallows.measure(mallows_set(12, 500, phi), rng=RNG).value == pytest.approx(phi, abs=0.03)


@given(twins.cascade_sets)
def test_inversions_equal_the_twin(cascades: CascadeSet) -> None:
    rank = np.random.default_rng(3).permutation(twins.N_USERS)
    expected = sum(rank[u] > rank[v] for users in cascades for u, v in combinations(users, 2))
    assert mallows.inversions(cascades.offsets, cascades.users, rank) == expected


def test_plackett_luce_strengths_maximise_the_penalised_likelihood() -> None:
    cascades, prior = twins.random_set(4, 15, 3, seed=8), 0.7

    def loss(log_strength: np.ndarray) -> float:
        strength = np.exp(log_strength)
        value = -prior * float((np.log(strength) - 2 * np.log1p(strength)).sum())
        for users in cascades:
            for place in range(len(users)):
                value -= math.log(strength[users[place]] / strength[users[place:]].sum())
        return value

    expected = np.exp(optimize.minimize(loss, np.zeros(4), options={"gtol": 1e-8}).x)
    found = plackett_luce.fit_strengths(cascades.offsets, cascades.users, 4, prior)
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_jaccard_by_hand() -> None:
    cascades = CascadeSet.of([[0, 1, 2], [0, 2, 3], [5, 4], [6]])  # {1,2} {2,3} {4} {}
    assert jaccard.measure(cascades, rng=RNG).value == pytest.approx(1 / 3 / 6)
    assert jaccard.measure(cascades, same_source=True, rng=RNG).value == pytest.approx(1 / 3)


@given(twins.cascade_sets)
def test_jaccard_equals_the_twin(cascades: CascadeSet) -> None:
    for same in (False, True):
        chosen = [(set(a[1:]), set(b[1:])) for a, b in combinations(cascades, 2) if not same or a[0] == b[0]]
        shares = [len(a & b) / len(a | b) for a, b in chosen if a | b]
        expected = np.mean(shares) if shares else math.nan
        assert jaccard.measure(cascades, same_source=same, rng=RNG).value == pytest.approx(expected, nan_ok=True)


def test_jaccard_of_drawn_pairs_is_near_that_of_all() -> None:
    cascades = twins.random_set(20, 100, 8)
    whole = jaccard.measure(cascades, rng=RNG).value
    drawn = [jaccard.measure(cascades, max_pairs=1000, rng=np.random.default_rng(seed)).value for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn == pytest.approx([whole] * 3, rel=0.05)


def test_standard_error_of_a_mean_is_the_textbook_one() -> None:
    cascades = CascadeSet.of([list(range(length)) for length in (1, 4, 2, 7, 5)])
    found = read_off(cascades, lambda part: float(part.lengths.mean()))
    assert found.value == 3.8
    assert found.se == pytest.approx(np.std([1, 4, 2, 7, 5], ddof=1) / math.sqrt(5))
    assert math.isnan(read_off(cascades.take([0]), lambda part: 1.0).se)
