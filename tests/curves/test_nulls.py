import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.curves.cells import cells
from cascurve.curves.fitting import fit
from cascurve.curves.nulls import nulls, within_correlation, worth, worth_together


def artefact(seed: int = 0) -> pa.Table:
    """Difficulty and SMAP that depend on N and L alone, with noise: no relation within a group of equal N and L."""
    rng = np.random.default_rng(seed)
    rows = make_points(seed, models={"cdk": lambda _: 1.0}, degrees=tuple(range(3, 11))).to_pylist()
    for row in rows:
        row["apce"] = (0.15 + 4 * row["length"] / row["n"]) * rng.uniform(0.9, 1.1)
        row["smap"] = (2 + 60 * np.exp(-4 * (0.15 + 4 * row["length"] / row["n"]))) * rng.uniform(0.95, 1.05)
        row["map"] = row["smap"] * row["length"] / row["n"]
    return pa.Table.from_pylist(rows)


def one(table: pa.Table, model: str = "cdk") -> dict[str, float]:
    return next(row for row in table.to_pylist() if row["model"] == model and row["x"] == "apce")


def test_a_real_curve_stands_above_its_nulls() -> None:
    found = one(nulls(make_points(degrees=tuple(range(3, 11))), seed=1, permutations=50))
    assert found["r2"] > 0.9
    assert found["r2_permuted"] < 0.4
    assert found["within_correlation"] < -0.9
    assert found["r2_map"] < found["r2"] - 0.2
    assert found["r2_random"] < 0.3
    assert "no evidence" not in worth(found)


def test_an_artefact_of_n_and_l_is_unmasked() -> None:
    found = one(nulls(artefact(), seed=1, permutations=50))
    assert found["r2"] > 0.8
    assert found["r2_permuted"] > found["r2"] - 0.03
    assert abs(found["within_correlation"]) < 0.3
    assert found["r2_random"] is None
    assert "no evidence of a curve" in worth(found)


def test_permutations_keep_the_values_of_each_group() -> None:
    """With SMAP constant in each (N, L) group, a permutation within groups changes nothing."""
    points = artefact().to_pylist()
    for row in points:
        row["smap"] = 2 + 60 * np.exp(-40 * row["length"] / row["n"])
    found = one(nulls(pa.Table.from_pylist(points), seed=1, permutations=20))
    assert found["r2_permuted"] == pytest.approx(found["r2"], abs=1e-9)
    assert found["r2_permuted_sd"] == pytest.approx(0, abs=1e-9)


def test_within_correlation_by_hand() -> None:
    rows = make_points(
        models={"cdk": lambda _: 1.0}, sizes=(100, 200), lengths=(10,), degrees=(3, 4), replicates=1
    ).to_pylist()
    for row, x, y in zip(rows, (0.1, 0.3, 0.5, 0.9), (1.0, 2.0, 3.0, 1.0), strict=True):
        row.update(apce=x, smap=np.exp(y))
    # less the group means: x = -.1, .1, -.2, .2 and log y = -.5, .5, 1, -1
    expected = (0.05 + 0.05 - 0.2 - 0.2) / np.sqrt(0.1 * 2.5)
    assert within_correlation(cells(pa.Table.from_pylist(rows), "er"), "cdk") == pytest.approx(expected)


def test_an_n_that_does_not_follow_is_found_by_leaving_it_out() -> None:
    rows = make_points(degrees=tuple(range(3, 11)), noise=0.01, shared_noise=0.01).to_pylist()
    for row in rows:
        row["smap"] *= 1.5 if row["n"] == 200 else 1.0
    found = one(nulls(pa.Table.from_pylist(rows), seed=1, permutations=10))
    assert found["left_out_n"] == 200
    assert found["left_out_error"] == pytest.approx(np.log(1.5), abs=0.08)


def test_nothing_to_permute_is_null_and_said() -> None:
    found = one(nulls(make_points(groups=(), empirical=("android",)), seed=1))
    assert found["r2_permuted"] is None
    assert found["within_correlation"] is None
    assert "nothing tells a curve" in worth(found)


def test_the_seed_decides_and_other_models_do_not_matter() -> None:
    points = make_points()
    alone = points.filter(pa.array([name == "cdk" for name in points.column("model").to_pylist()]))
    values = [one(nulls(table, seed=seed, permutations=20)) for table, seed in ((points, 1), (alone, 1), (points, 2))]
    assert values[0]["r2_permuted"] == values[1]["r2_permuted"] != values[2]["r2_permuted"]


def test_r2_of_log_smap_is_that_of_a_fit_to_the_logarithms() -> None:
    points = make_points(degrees=(3, 5, 8))
    chosen = cells(points, "er")
    smap = chosen.smap[:, chosen.models.index("cdk")]
    found = one(nulls(points, seed=1, permutations=10))
    assert found["r2_log"] == pytest.approx(fit(chosen.x, np.log(smap)).r2)
    assert found["r2_log"] != pytest.approx(found["r2"], abs=1e-3)
    assert found["r2_log_permuted"] < found["r2_log"]


def test_models_of_a_group_are_told_together() -> None:
    row = {"group": "er", "x": "apce", "model": "cdk", "r2": 0.9, "r2_permuted": 0.1, "within_correlation": -0.8}
    other = row | {"model": "pae", "r2": 0.96, "r2_permuted": 0.93, "within_correlation": None}
    assert worth_together([row, other]) == (
        "er, 2 models: R² of SMAP against apce is 0.90 to 0.96; N and L alone give 0.10 to 0.93, and within equal N "
        "and L difficulty and log SMAP correlate by -0.80. It is no evidence of a curve of pae."
    )
    assert worth_together([row, row | {"r2": None}]) == worth(row)
    assert worth_together([row | {"r2": None}]) == ""
    unjudged = [entry | {"r2_permuted": None} for entry in (row, other)]
    end = "0.96; no two cells share N and L, so nothing tells a curve from an effect of N and L."
    assert worth_together(unjudged).endswith(end)
