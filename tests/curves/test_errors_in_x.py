import numpy as np
import pytest
from tests.points_maker import make_points

from cascurve.curves import exp3
from cascurve.curves.errors_in_x import errors_in_x, simex
from cascurve.curves.fitting import fit


def test_simex_takes_most_of_the_bias_out() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(0.1, 0.9, 400)
    error = np.full(400, 0.07)
    y = exp3.evaluate(x, 2.0, 60.0, 5.0) * rng.lognormal(0, 0.02, 400)
    noisy = x + error * rng.standard_normal(400)
    grid = np.linspace(0.15, 0.85, 15)
    truth = exp3.evaluate(grid, 2.0, 60.0, 5.0)
    naive = np.abs(fit(noisy, y)(grid) - truth).max()
    mended = np.abs(simex(noisy, y, error, grid, rng) - truth).max()
    assert mended < 0.6 * naive


def test_without_error_the_curve_stays() -> None:
    x = np.linspace(0.1, 0.9, 30)
    y = exp3.evaluate(x, 2.0, 60.0, 5.0)
    found = simex(x, y, np.zeros(30), x, np.random.default_rng(0), draws=3)
    np.testing.assert_allclose(found, y, rtol=1e-6)


def test_the_table_says_how_sure_the_difficulties_are() -> None:
    points = make_points()
    rows = errors_in_x(points, seed=1, xs=("apce", "apce_bayes"), draws=20).to_pylist()
    # only apce has standard errors: .01 in each of two replicates; the random control has no curve
    assert {row["x"] for row in rows} == {"apce"}
    assert {"cdk", "pae"} <= {row["model"] for row in rows}
    assert rows[0]["error"] == pytest.approx(0.01 / np.sqrt(2))
    assert all(0.9 < row["reliability"] < 1 and row["shift"] < 0.1 for row in rows if row["model"] != "random")
