import math
from fractions import Fraction

import pytest
from hypothesis import given
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder import pair_entropy
from cascurve.disorder.empirical_bayes import fit
from cascurve.disorder.pair_counts import pair_table


def summed(cascades: CascadeSet) -> pair_entropy.PairSums:
    table = pair_table(cascades)
    return pair_entropy.pair_sums(table, fit(table))


@given(twins.cascade_sets)
def test_estimates_equal_the_readable_twins(cascades: CascadeSet) -> None:
    sums = summed(cascades)
    for estimate, twin in (
        (pair_entropy.plug_in, twins.apce),
        (pair_entropy.relative, twins.relative),
        (pair_entropy.pairwise, twins.pairwise),
    ):
        assert pair_entropy.quotient(*estimate(sums)) == pytest.approx(
            twin(cascades), rel=1e-12, abs=1e-12, nan_ok=True
        )


def test_fair_coin_has_the_known_values() -> None:
    coin = pair_entropy.fair_coin(1000)
    for n, h in {1: 0.0, 2: 0.5, 3: 0.6887, 5: 0.8324, 10: 0.9235}.items():
        assert coin[n] / n == pytest.approx(h, abs=1e-4)
    for n in (7, 64, 999):
        exact = sum(Fraction(math.comb(n, a), 2**n) * Fraction(twins.entropy(a / n)) for a in range(n + 1))
        assert coin[n] / n == pytest.approx(float(exact), abs=1e-12)


def test_all_but_the_plug_in_are_one_for_fair_coins() -> None:
    """Random orders of all users: the plug-in depends on the sample's size, the others do not."""
    sums = summed(twins.random_set(300, 60, 60))
    plug_in, relative, pairwise, bayes, _ = (pair_entropy.quotient(*ratio(sums)) for ratio in pair_entropy.RATIOS)
    assert plug_in < 0.7
    assert relative == pytest.approx(1, abs=0.02)
    assert pairwise == pytest.approx(1, abs=0.02)
    assert bayes == pytest.approx(1, abs=0.02)


def zhang_by_definition(n: int, a: int) -> float:
    """Eq. 4 of Zhang (2012), in nats."""
    total = 0.0
    for v in range(1, n):
        for count in (a, n - a):
            term = count / n
            for j in range(v):
                term *= 1 - (count - 1) / (n - 1 - j) if count else 0
            total += term / v
    return total


@given(twins.cascade_sets)
def test_zhang_and_miller_madow_equal_their_definitions(cascades: CascadeSet) -> None:
    table, counts = pair_table(cascades), twins.pairs(cascades).values()
    total = sum(n for n, _ in counts) or math.nan
    zhang = sum(n * zhang_by_definition(n, a) for n, a in counts) / total / math.log(2)
    madow = sum(n * twins.entropy(a / n) + (0 < a < n) / (2 * math.log(2)) for n, a in counts) / total
    assert pair_entropy.quotient(*pair_entropy.zhang(summed(cascades))) == pytest.approx(zhang, abs=1e-12, nan_ok=True)
    assert pair_entropy.miller_madow(table) == pytest.approx(madow, abs=1e-12, nan_ok=True)
