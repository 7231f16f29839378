import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import curve_fit

from cascurve.curves import exp3
from cascurve.curves.fitting import fit


def slope_columns(x: np.ndarray, _: float, amplitude: float, rate: float) -> np.ndarray:
    decay = np.exp(-rate * x)
    return np.column_stack((np.ones_like(x), decay, -amplitude * x * decay))


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_scipy_started_at_the_truth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 4), rng.uniform(5, 900), rng.uniform(1.5, 9)
    x = rng.uniform(rng.uniform(0, 0.3), 1, 60)
    y = exp3.evaluate(x, *truth) * np.exp(rng.normal(0, 0.05, 60))
    tight = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15}
    expected, _ = curve_fit(exp3.evaluate, x, y, p0=truth, jac=slope_columns, maxfev=10_000, **tight)
    found, status = exp3.estimate(x, y)
    assert status == "ok"
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@given(st.floats(-3, 3), st.floats(0.5, 50), st.floats(0.7, 12), st.booleans())
def test_recovers_exact_data(y0: float, amplitude: float, rate: float, rising: bool) -> None:
    x = np.linspace(0.1, 1.0, 30)
    truth = y0, -amplitude if rising else amplitude, rate
    found, status = exp3.estimate(x, exp3.evaluate(x, *truth))
    assert status == "ok"
    np.testing.assert_allclose(found, truth, rtol=1e-6, atol=1e-6)


def test_the_fit_follows_a_change_of_units() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(0.2, 1, 40)
    y = exp3.evaluate(x, 2, 50, 5) + rng.normal(0, 0.3, 40)
    y0, amplitude, rate = exp3.estimate(x, y)[0]
    np.testing.assert_allclose(exp3.estimate(1000 * x, y)[0], (y0, amplitude, rate / 1000), rtol=1e-9)
    np.testing.assert_allclose(exp3.estimate(x, 7 * y - 5)[0], (7 * y0 - 5, 7 * amplitude, rate), rtol=1e-9)


def test_weights_are_repeated_points() -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(0.1, 1, 30)
    y = exp3.evaluate(x, 2, 50, 5) + rng.normal(0, 1, 30)
    weights = rng.multinomial(30, np.full(30, 1 / 30), size=5).astype(float)
    for found, weight in zip(exp3.estimate_many(x, y, weights), weights, strict=True):
        again = np.repeat(np.arange(30), weight.astype(int))
        np.testing.assert_allclose(found, exp3.estimate(x[again], y[again])[0], rtol=1e-8)


def test_a_resample_with_one_x_has_no_curve() -> None:
    weights = np.array([[5.0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    assert np.isnan(exp3.estimate_many(np.linspace(0, 1, 5), np.arange(5.0), weights)).all()


@pytest.mark.parametrize(
    ("y", "why"),
    [
        ([5, 4, 3, 2, 1, 0], "lower bound"),
        ([9, 8.8, 8, 6, 3, -1], "lower bound"),
        ([7, 1, 1.1, 0.9, 1, 1.05], "upper bound"),
        ([2, 2, 2, 2, 2, 2], "flat"),
    ],
)
def test_a_curve_that_the_data_do_not_identify_is_said_so(y: list[float], why: str) -> None:
    assert why in fit(np.linspace(0.1, 0.9, 6), y).status


def test_x_far_from_zero_stays_finite() -> None:
    x = np.linspace(100.0, 100.5, 20)
    found, _ = exp3.estimate(x, exp3.evaluate(x - 100, 1, 5, 4))
    assert np.isfinite(found).all()
