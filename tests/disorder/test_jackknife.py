import dataclasses

import numpy as np
import pytest
from hypothesis import given
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder import pair_entropy
from cascurve.disorder.empirical_bayes import Priors, fit
from cascurve.disorder.jackknife import left_out, standard_error
from cascurve.disorder.pair_counts import pair_table

FIELDS = [field.name for field in dataclasses.fields(pair_entropy.PairSums)]


def summed(cascades: CascadeSet, priors: Priors) -> pair_entropy.PairSums:
    return pair_entropy.pair_sums(pair_table(cascades), priors)


@given(twins.cascade_sets)
def test_left_out_sums_are_those_of_the_set_without_the_cascade(cascades: CascadeSet) -> None:
    """Exact for all sums, `bayes` apart: with the priors held fixed it would be."""
    priors = fit(pair_table(cascades))
    fixed = dataclasses.replace(priors, slope=np.zeros_like(priors.slope))
    whole, less = summed(cascades, priors), left_out(cascades, fixed)
    for cascade in range(len(cascades)):
        rest = summed(cascades.take(np.delete(np.arange(len(cascades)), cascade)), priors)
        for name in FIELDS if np.isfinite(priors.log_alpha[0]) else FIELDS[:-1]:
            expected = getattr(whole, name) - getattr(rest, name)
            assert getattr(less, name)[cascade] == pytest.approx(expected, abs=1e-5, nan_ok=True), name


def test_fitted_priors_move_with_a_cascade() -> None:
    """To first order: a cascade's loss, against the estimate made anew without it.

    By the median, since a pair that moves to a class of a few pairs moves that class's prior by more.
    """
    cascades = twins.random_set(15, 400, 5)
    priors = fit(pair_table(cascades))
    whole, less = summed(cascades, priors), left_out(cascades, priors)
    frozen = left_out(cascades, dataclasses.replace(priors, slope=np.zeros_like(priors.slope)))
    true = []
    for cascade in range(60):
        rest = cascades.take(np.delete(np.arange(len(cascades)), cascade))
        true.append(whole.bayes - summed(rest, fit(pair_table(rest))).bayes)
    error, frozen_error = (np.median(np.abs(each.bayes[:60] - true)) for each in (less, frozen))
    assert error < 0.01 * np.std(true)
    assert frozen_error > 10 * error


def test_left_out_sums_have_the_same_bits_for_all_methods_and_threads() -> None:
    cascades = twins.random_set(60, 300, 20, seed=3)
    priors = fit(pair_table(cascades))
    expected = left_out(cascades, priors, method="dense")
    for threads in (1, 3):
        found = left_out(cascades, priors, method="sparse", threads=threads)
        for name in FIELDS:
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name


def test_standard_error_of_a_mean_is_the_textbook_one() -> None:
    values = np.array([1.0, 4.0, 2.0, 7.0])
    found = standard_error(values.sum(), 4.0, values, np.ones(4))
    assert found == pytest.approx(values.std(ddof=1) / 2)


def test_standard_error_needs_two_cascades_and_a_rest() -> None:
    assert np.isnan(standard_error(1.0, 1.0, np.array([1.0]), np.array([1.0])))
    assert np.isnan(standard_error(1.0, 1.0, np.array([1.0, 0.0]), np.array([1.0, 0.0])))
