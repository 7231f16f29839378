import numpy as np
import pytest
from scipy.optimize import curve_fit
from tests.points_maker import MODELS, make_points

from cascurve.curves import exp3
from cascurve.curves.bands import band, bands, moves
from cascurve.curves.cells import cells
from cascurve.curves.resampling import max_t_band, network_weights

DEGREES = (3, 4, 5, 6, 7, 8, 9, 10)


def test_the_band_holds_the_true_curve() -> None:
    chosen = cells(make_points(degrees=DEGREES, network_noise=0.05), "er")
    found = band(chosen, "cdk", network_weights(24, 1000, np.random.default_rng(0)))
    assert found is not None
    truth = 2 + 60 * np.exp(-4 * found.x)
    assert ((found.low < truth) & (truth < found.high)).all()
    assert ((found.low < found.y) & (found.y < found.high)).all()
    assert np.mean((found.high - found.low) / found.y) < 0.6


def test_the_band_by_a_slow_twin() -> None:
    """Refit by scipy, resample by resample."""
    chosen = cells(make_points(models={"cdk": MODELS["cdk"]}, degrees=(4, 8, 10)), "er")
    weights = network_weights(9, 60, np.random.default_rng(0))
    found = band(chosen, "cdk", weights)
    x, y = chosen.scores("cdk", "smap")
    assert found is not None
    draws = []
    for weight in weights:
        again = np.repeat(np.arange(len(x)), weight[chosen.network].astype(int))
        p0 = exp3.estimate(x[again], y[again])[0]
        parameters, _ = curve_fit(exp3.evaluate, x[again], y[again], p0=p0)
        draws.append(exp3.evaluate(found.x, *parameters))
    expected = max_t_band(found.y, np.array(draws), np.full(61, 9), n_parameters=3)
    np.testing.assert_allclose(found.high - found.low, expected.high - expected.low, rtol=1e-2)


def test_the_table_has_the_models_that_have_a_band() -> None:
    table = bands(make_points(empirical=("android",)), seed=1, xs=("apce",), resamples=100)
    found = {(row["group"], row["model"]) for row in table.to_pylist()}
    assert {("er", "cdk"), ("er", "pae")} <= found
    assert not any(group == "android" for group, _ in found)
    assert len(table) == 61 * len(found)


def test_errors_of_the_difficulty_widen_the_band() -> None:
    chosen = cells(make_points(models={"cdk": MODELS["cdk"]}, degrees=(4, 8, 10)), "er")
    weights, rng = network_weights(9, 200, np.random.default_rng(0)), np.random.default_rng(1)
    known, unsure = band(chosen, "cdk", weights), band(chosen, "cdk", weights, moves(chosen, 200, rng))
    surely = band(chosen, "cdk", weights, np.zeros((200, len(chosen.x))))
    assert known is not None and unsure is not None and surely is not None
    np.testing.assert_array_equal(surely.low, known.low)
    assert (unsure.high - unsure.low).mean() > 1.02 * (known.high - known.low).mean()
    np.testing.assert_array_equal(unsure.y, known.y)


def test_each_fit_may_have_its_own_x() -> None:
    x, y = np.linspace(0.1, 0.9, 20), exp3.evaluate(np.linspace(0.1, 0.9, 20), 2.0, 9.0, 3.0)
    found = exp3.estimate_each(np.stack([x, x + 0.1]), y, np.ones((2, 20)))
    np.testing.assert_allclose(found[0], [2.0, 9.0, 3.0], rtol=1e-6)
    np.testing.assert_allclose(found[1], [2.0, 9.0 * np.exp(0.3), 3.0], rtol=1e-6)


def test_too_few_networks_have_no_band() -> None:
    chosen = cells(make_points(degrees=(4, 8)), "er")
    assert band(chosen, "cdk", network_weights(6, 100, np.random.default_rng(0))) is None


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [(4, 6, 8), DEGREES], ids=["9 networks", "24 networks"])
def test_the_band_covers_the_whole_true_curve(degrees: tuple[int, ...]) -> None:
    """400 studies with network effects; nominal 95 %, s.e. 1.1 points."""
    made, covered = 0, 0
    for seed in range(400):
        points = make_points(seed, models={"cdk": MODELS["cdk"]}, degrees=degrees, network_noise=0.1, replicates=1)
        chosen = cells(points, "er")
        weights = network_weights(len(chosen.networks), 500, np.random.default_rng(seed))
        found = band(chosen, "cdk", weights)
        if found is not None:
            truth = 2 + 60 * np.exp(-4 * found.x)
            made += 1
            covered += bool(((found.low <= truth) & (truth <= found.high)).all())
    print(f"{made} bands, {covered / made:.3f} cover")
    assert covered / made >= 0.90
