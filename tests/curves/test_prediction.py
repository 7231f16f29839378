import numpy as np
import pytest
from tests.points_maker import make_points

from cascurve.curves.cells import cells
from cascurve.curves.prediction import expect, holds_up_to
from cascurve.errors import CellError

DEGREES = (3, 4, 5, 6, 7, 8, 9, 10)


def test_the_expected_map_is_near_the_curve_and_scales_with_n_and_l() -> None:
    chosen = cells(make_points(degrees=DEGREES), "er")
    found = expect(chosen, "cdk", 0.4, size=1000, length=50, rng=np.random.default_rng(0))
    assert found.map == pytest.approx((2 + 60 * np.exp(-1.6)) * 50 / 1000, rel=0.05)
    assert found.low < found.map < found.high
    other = expect(chosen, "cdk", 0.4, size=2000, length=50, rng=np.random.default_rng(0))
    assert (other.map, other.low, other.high) == pytest.approx((found.map / 2, found.low / 2, found.high / 2))


def test_no_map_above_one_is_expected() -> None:
    chosen = cells(make_points(degrees=DEGREES), "er")
    with pytest.raises(CellError, match=r"would be a MAP of 1\.4\d*, above 1"):
        expect(chosen, "cdk", 0.4, size=500, length=50, rng=np.random.default_rng(0))
    assert expect(chosen, "cdk", 0.4, size=710, length=50, rng=np.random.default_rng(0)).high == 1.0


def test_nothing_is_promised_outside_or_without_a_curve() -> None:
    chosen = cells(make_points(degrees=DEGREES), "er")
    rng = np.random.default_rng(0)
    with pytest.raises(CellError, match=r"difficulty 0\.01 is outside"):
        expect(chosen, "cdk", 0.01, size=100, length=10, rng=rng)
    with pytest.raises(CellError, match="3 networks in group 'er', at least 7"):
        expect(cells(make_points(degrees=(4,)), "er"), "cdk", 0.4, size=100, length=10, rng=rng)


def test_holds_up_to_is_before_the_true_difficulty() -> None:
    chosen = cells(make_points(degrees=DEGREES), "er")
    found = holds_up_to(chosen, "cdk", 10.0, rng=np.random.default_rng(0))
    truth = np.log(60 / 8) / 4
    assert found is not None and truth - 0.08 < found < truth
    assert holds_up_to(chosen, "cdk", 1e3, rng=np.random.default_rng(0)) is None
    assert holds_up_to(chosen, "cdk", 0.1, rng=np.random.default_rng(0)) == chosen.x.max()


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [(4, 6, 8), DEGREES], ids=["9 networks", "24 networks"])
def test_a_new_data_set_falls_into_the_interval(degrees: tuple[int, ...]) -> None:
    """400 studies with network effects, one new data set each; nominal 95 %, s.e. 1.1 points."""
    inside = 0
    for seed in range(400):
        chosen = cells(make_points(seed, degrees=degrees, network_noise=0.1, replicates=1), "er")
        rng = np.random.default_rng(seed)
        at = float(rng.uniform(chosen.x.min(), chosen.x.max()))
        noise = np.sqrt(0.05**2 + 0.1**2 + 0.02**2)
        new = (2 + 60 * np.exp(-4 * at)) * np.exp(rng.normal(0, noise)) / 100
        found = expect(chosen, "cdk", at, size=1000, length=10, rng=rng, resamples=500)
        inside += found.low <= new <= found.high
    print(f"{inside / 400:.3f} inside")
    assert 0.91 <= inside / 400 <= 0.99
