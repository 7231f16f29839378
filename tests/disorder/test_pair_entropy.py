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
    plug_in, relative, pairwise, bayes = (pair_entropy.quotient(*ratio(sums)) for ratio in pair_entropy.RATIOS)
    assert plug_in < 0.7
    assert relative == pytest.approx(1, abs=0.02)
    assert pairwise == pytest.approx(1, abs=0.02)
    assert bayes == pytest.approx(1, abs=0.02)
