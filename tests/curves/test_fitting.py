import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.curves.fitting import Fit, fit, fit_points
from cascurve.errors import DataError


def test_r2_and_rmse_by_hand() -> None:
    x, y = np.array([0.1, 0.3, 0.5, 0.7, 0.9]), np.array([9.0, 5.0, 4.0, 3.0, 3.5])
    found = fit(x, y)
    loss = ((y - found(x)) ** 2).sum()
    assert found.r2 == pytest.approx(1 - loss / ((y - 4.9) ** 2).sum())
    assert found.rmse == pytest.approx(np.sqrt(loss / 5))
    assert (found.n_points, found.x_min, found.x_max) == (5, 0.1, 0.9)


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        ([], [], "0 points, at least 4 needed"),
        ([0.1, 0.2, 0.3], [3, 2, 1], "3 points, at least 4 needed"),
        ([0.5, 0.5, 0.5, 0.5], [3, 2, 1, 0], "1 distinct x, at least 3 needed"),
        ([0.5, 0.5, 0.6, 0.6], [3, 2, 1, 0], "2 distinct x, at least 3 needed"),
    ],
)
def test_too_few_points_give_no_curve(x: list[float], y: list[float], why: str) -> None:
    found = fit(x, y)
    assert found.status == why
    assert np.isnan(list(found.parameters.values())).all()


def test_faulty_input_is_refused() -> None:
    with pytest.raises(DataError, match="one length"):
        fit([1, 2], [1])
    with pytest.raises(DataError, match="finite"):
        fit([1, 2, 3, 4], [1, 2, np.nan, 4])


def test_points_give_back_the_curves_that_made_them() -> None:
    fits = fit_points(make_points(noise=0.0, shared_noise=0.0), xs=("apce",)).to_pylist()
    cdk = next(row for row in fits if (row["model"], row["y"]) == ("cdk", "smap"))
    assert cdk["status"] == "ok"
    # the mean over replicates of a curve is not the curve of the mean: hence the tolerance
    np.testing.assert_allclose(
        Fit.from_row(cdk)([0.3, 0.6, 0.9]), 2 + 60 * np.exp(-4 * np.array([0.3, 0.6, 0.9])), rtol=0.25
    )
    one = fit_points(make_points(noise=0.0, shared_noise=0.0, replicates=1), xs=("apce",)).to_pylist()
    cdk = next(row for row in one if (row["model"], row["y"]) == ("cdk", "smap"))
    np.testing.assert_allclose([cdk["y0"], cdk["amplitude"], cdk["rate"]], [2, 60, 4], rtol=1e-6)
    assert cdk["r2"] == pytest.approx(1)


def test_one_row_per_group_model_x_and_y() -> None:
    fits = fit_points(make_points(groups=("er", "ba"), empirical=("android",)), xs=("apce", "apce_bayes", "unknown"))
    keys = list(zip(*(fits.column(name).to_pylist() for name in ("group", "model", "x", "y")), strict=True))
    assert len(keys) == len(set(keys)) == 3 * 3 * 2 * 3


def test_a_row_of_the_table_is_the_fit_again() -> None:
    points = make_points()
    row = next(row for row in fit_points(points).to_pylist() if row["status"] == "ok")
    again = Fit.from_row(row)
    assert again.r2 == row["r2"]
    assert again(0.4) == pytest.approx(row["y0"] + row["amplitude"] * np.exp(-row["rate"] * 0.4))


def test_a_model_without_results_has_a_row_that_says_so() -> None:
    rows = make_points().to_pylist()
    for row in rows:
        if row["model"] == "cdk":
            row.update(status="no cascade is long enough", map=None, smap=None)
    fits = fit_points(pa.Table.from_pylist(rows)).to_pylist()
    assert {row["status"] for row in fits if row["model"] == "cdk"} == {"0 points, at least 4 needed"}
