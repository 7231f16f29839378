import numpy as np
import pytest
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder.apce import measure

RNG = np.random.default_rng(1)


def test_the_papers_example_is_two_ninths() -> None:
    found = measure(CascadeSet.of([[1, 2, 3, 4], [1, 3, 2]]), rng=RNG)
    assert found.apce == 2 / 9
    assert (found.n_pairs, found.pair_support, found.once_share) == (6, 1.5, 0.5)
    assert found.apce_pairs == 2 / 3  # pairs 12, 13, 23 seen twice; 4ab/(n(n - 1)) is 0, 0, 2, weighted by 2 of 6


def test_ties_in_time_keep_the_stored_order() -> None:
    tied = CascadeSet.of([[0, 1], [1, 0]], times=[[5.0, 5.0], [5.0, 5.0]])
    assert measure(tied, rng=RNG).apce == 1.0


def test_fixed_order_is_zero_and_reversal_is_one() -> None:
    assert measure(CascadeSet.of([[0, 1, 2]] * 5), rng=RNG).apce == 0
    assert measure(CascadeSet.of([[0, 1, 2], [2, 1, 0]] * 5), rng=RNG).apce == pytest.approx(1, abs=1e-14)


def test_warning_below_a_mean_support_of_15() -> None:
    assert "mean pair support 14.0" in str(measure(CascadeSet.of([[0, 1]] * 14), rng=RNG).warning)
    assert measure(CascadeSet.of([[0, 1]] * 15), rng=RNG).warning is None
    assert measure(CascadeSet.of([[0], [1]]), rng=RNG).warning == "no two users occur together"


def test_set_without_pairs_has_no_value() -> None:
    found = measure(CascadeSet.of([[0], [1]]), rng=RNG)
    assert np.isnan([found.apce, found.apce_rel, found.apce_pairs, found.apce_se, found.once_share]).all()


def test_bootstrap_follows_the_generator_and_is_near_the_jackknife() -> None:
    cascades = twins.random_set(12, 300, 6)
    jackknife = measure(cascades, rng=RNG)
    first, second = (measure(cascades, rng=np.random.default_rng(7), bootstrap=100) for _ in range(2))
    assert first == second
    assert first.apce_pairs_se == pytest.approx(jackknife.apce_pairs_se, rel=0.3)
