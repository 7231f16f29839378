import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import MODELS, make_points

from cascurve.curves.cells import cells
from cascurve.curves.collapse import collapses, exponents, quality, spread

DEGREES = tuple(range(3, 11))


def scaled_points(a: float, b: float, seed: int = 0, **options: float) -> pa.Table:
    """Points whose MAP·N^a/L^b is a curve over difficulty."""
    rows = make_points(seed, models={"cdk": MODELS["cdk"]}, degrees=DEGREES, **options).to_pylist()  # type: ignore[arg-type]
    for row in rows:
        row["map"] = row["smap"] * row["length"] ** b / row["n"] ** a
        row["map_se"] = 0.02 * row["map"]
    return pa.Table.from_pylist(rows)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.7, 0.6), (0.0, 0.0)])
def test_the_exponents_are_recovered(a: float, b: float) -> None:
    points = scaled_points(a, b, shared_noise=0.01, noise=0.01)
    found = exponents(cells(points, "er"), "cdk", np.random.default_rng(0))
    assert found.status == "ok"
    assert found.low is not None and found.high is not None
    assert found.low[0] < a < found.high[0] and found.low[1] < b < found.high[1]
    assert found.a == pytest.approx(a, abs=0.05)
    assert found.b == pytest.approx(b, abs=0.05)
    assert found.holds_paper is ((a, b) == (1.0, 1.0))


def test_the_right_scaling_collapses_best() -> None:
    points = scaled_points(0.7, 0.6, shared_noise=0.01, noise=0.01)
    rows = {row["scaling"]: row for row in collapses(points, seed=1, xs=("apce",), resamples=200).to_pylist()}
    assert rows["fitted"]["spread"] < rows["paper"]["spread"] < rows["none"]["spread"]
    assert rows["fitted"]["quality"] < rows["paper"]["quality"]
    assert rows["fitted"]["holds_paper"] is False
    assert (rows["paper"]["a"], rows["paper"]["b"]) == (1, 1)


def test_from_floor_to_ceiling_where_the_study_has_an_oracle() -> None:
    """A model that is always half way between chance and the oracle collapses to a constant."""
    rows = make_points(
        models={"oracle": MODELS["cdk"], "half": MODELS["cdk"]}, degrees=(4, 8), replicates=1
    ).to_pylist()
    oracle = {(row["network"], row["length"]): row["map"] for row in rows if row["model"] == "oracle"}
    for row in rows:
        if row["model"] == "half":
            row["map"] = (row["chance"] + oracle[row["network"], row["length"]]) / 2
    found = collapses(pa.Table.from_pylist(rows), seed=1, xs=("apce",), resamples=50).to_pylist()
    half = next(row for row in found if (row["model"], row["scaling"]) == ("half", "floor_to_ceiling"))
    assert half["spread"] == pytest.approx(0, abs=1e-12)
    plain = collapses(make_points(), seed=1, xs=("apce",), resamples=50)
    assert "floor_to_ceiling" not in plain.column("scaling").to_pylist()


def test_quality_is_about_one_when_errors_explain_the_scatter() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 1, 600)
    block = rng.integers(0, 12, 600)
    error = np.full(600, 0.1)
    y = 3 - x + rng.normal(0, 0.1, 600)
    assert quality(x, y, error, block) == pytest.approx(1, abs=0.2)
    assert quality(x, y + 0.5 * (block % 2), error, block) > 5
    assert quality(x, y, error / 2, block) == pytest.approx(4 * quality(x, y, error, block))


def test_quality_by_hand() -> None:
    """The point at .5 lies between (0, 1) and (1, 3) of the other group: master 2, variance .02·.5."""
    x, y = np.array([0.0, 1.0, 0.5]), np.array([1.0, 3.0, 2.3])
    error, block = np.full(3, np.sqrt(0.02)), np.array([0, 0, 1])
    assert quality(x, y, error, block) == pytest.approx(0.3**2 / (0.02 + 0.01))


def test_spread_by_hand_and_free_of_scale() -> None:
    x, y, block = np.array([0.0, 1.0, 0.5, 2.0]), np.exp([1.0, 3.0, 2.3, 9.0]), np.array([0, 0, 1, 1])
    # .5 of group 1 against group 0: |2.3 - 2|; 1.0 of group 0 against group 1: |3 - (2.3 + 6.7/3)|
    expected = (0.3 + 2.3 + 6.7 / 3 - 3) / 2
    assert spread(x, y, block) == pytest.approx(expected)
    assert spread(x, 7 * y, block) == pytest.approx(expected)


def test_what_cannot_be_told_is_said() -> None:
    real = make_points(groups=(), empirical=("android",))
    rows = [row for row in collapses(real, seed=1).to_pylist() if row["scaling"] == "fitted"]
    assert all(row["a"] is None and "at least 7 needed" in row["status"] for row in rows)
    one_size = make_points(sizes=(500,))
    found = exponents(cells(one_size, "er"), "cdk", np.random.default_rng(0))
    assert "do not vary" in found.status
    few = exponents(
        cells(make_points(degrees=(4,), lengths=(10, 15, 20, 30, 50)), "er"), "cdk", np.random.default_rng(0)
    )
    assert few.status == "3 networks, at least 5 needed for a region"
    assert np.isfinite(few.a) and few.holds_paper is None


@pytest.mark.slow
def test_the_region_covers_the_truth() -> None:
    """400 studies of 24 networks with a shared network effect; nominal 95 %, s.e. 1.1 points."""
    inside = 0
    for seed in range(400):
        points = scaled_points(1.0, 1.0, seed, network_noise=0.05)
        found = exponents(cells(points, "er"), "cdk", np.random.default_rng(seed), resamples=500)
        inside += bool(found.holds_paper)
    assert inside / 400 >= 0.91
