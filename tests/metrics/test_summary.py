"""Means and their standard errors."""

import numpy as np
import pytest

from cascurve.metrics.summary import mean_with_error


def test_independent_cascades() -> None:
    mean, error = mean_with_error(np.array([1.0, 2.0, np.nan, 6.0]))
    assert mean == pytest.approx(3)
    assert error == pytest.approx(np.std([1, 2, 6], ddof=1) / np.sqrt(3))


def test_copies_within_a_cluster_add_no_certainty() -> None:
    values = np.array([1.0, 2.0, 6.0])
    assert mean_with_error(np.repeat(values, 10), np.repeat([7, 8, 9], 10)) == pytest.approx(mean_with_error(values))


def test_clustered_error_is_the_spread_of_the_mean() -> None:
    rng = np.random.default_rng(2)
    means, errors = [], []
    for _ in range(400):
        values = np.repeat(rng.standard_normal(30), 5) + rng.standard_normal(150)
        mean, error = mean_with_error(values, np.repeat(np.arange(30), 5))
        means.append(mean)
        errors.append(error)
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.12)


def test_too_few() -> None:
    assert np.isnan(mean_with_error(np.array([np.nan]))).all()
    assert np.isnan(mean_with_error(np.array([0.5]))[1])
    assert np.isnan(mean_with_error(np.array([0.5, 0.7]), [1, 1])[1])
