"""From tables of jobs to one row per cell and model."""

import math

import numpy as np
import pyarrow as pa
import pytest

from cascurve.errors import CellError
from cascurve.metrics import chance
from cascurve.stages import points
from cascurve.stages.cells import each_length
from cascurve.storage import write_table

DATA = "topology=er/n=100/degree=4/mechanism=ic/replicate=1"
HARD = {"length": [5], "apce": [0.25], "n_users": [100], "n_train": [10], "n_test": [2]}


def write(folder, path, kind, columns, failed) -> str:
    file = folder / kind / path / "lengths=5-9" / f"{kind}.parquet"
    write_table(pa.table(columns), file, kind, failed=failed)
    return str(file)


@pytest.fixture
def table(tmp_path) -> list[dict]:
    difficulty = write(tmp_path, DATA, "difficulty", HARD, {9: "too short"})
    good = {
        "model": ["cdk"] * 2,
        "length": [5, 5],
        "cascade": [0, 1],
        "source": [3, 4],
        "ap": [0.2, 0.4],
        "p@5": [0.0, math.nan],
    }
    scored = write(tmp_path, DATA, "scores", good, {"cdk": {9: "too short"}, "pae": {5: "diverged"}})
    spec = {"grid": [(DATA, [5, 9])], "models": ["cdk", "pae", "iae"]}
    return points.run(spec, [difficulty], [scored])[0].to_pylist()


def test_a_scored_cell_has_all_its_numbers(table) -> None:
    row = next(row for row in table if row["model"] == "cdk" and row["length"] == 5)
    assert row["map"] == pytest.approx(0.3)
    assert row["map_se"] == pytest.approx(0.1)  # sample standard deviation 0.1·√2 over √2
    assert row["smap"] == pytest.approx(0.3 * 100 / 5)
    floor = float(chance.average_precision(99, 4))
    assert row["chance"] == pytest.approx(floor)
    assert row["map_corrected"] == pytest.approx((0.3 - floor) / (1 - floor))
    assert row["p@5"] == 0.0
    assert (row["group"], row["network"], row["n"], row["degree"]) == ("er", "er/100/4", 100, 4.0)
    assert (row["mechanism"], row["replicate"], row["status"]) == ("ic", 1, "ok")


def test_every_other_cell_says_why_it_has_none(table) -> None:
    status = {(row["model"], row["length"]): row["status"] for row in table}
    assert status == {
        ("cdk", 5): "ok",
        ("cdk", 9): "too short",
        ("pae", 5): "diverged",
        ("pae", 9): "too short",
        ("iae", 5): "no scores",
        ("iae", 9): "too short",
    }
    assert all(row["map"] is None for row in table if row["status"] != "ok")


def test_real_data_are_grouped_by_their_name(tmp_path) -> None:
    difficulty = write(tmp_path, "dataset=twitter/replicate=0", "difficulty", HARD, {})
    spec = {"grid": [("dataset=twitter/replicate=0", [5])], "models": ["cdk"]}
    row = points.run(spec, [difficulty], [])[0].to_pylist()[0]
    assert (row["group"], row["network"], row["replicate"]) == ("twitter", "twitter", 0)
    assert row["mechanism"] is None


def test_a_pair_on_real_data_has_its_error_over_the_test_cascades(tmp_path) -> None:
    data = "dataset=twitter/replicate=0"
    scores = {
        "model": ["a"] * 3 + ["b"] * 3,
        "length": [5] * 6,
        "cascade": [0, 1, 2] * 2,
        "source": [3, 4, 5] * 2,
        "ap": [0.2, 0.4, 0.6, 0.1, 0.3, 0.2],
    }
    spec = {"grid": [(data, [5])], "models": ["a", "b", "c"]}
    scored = write(tmp_path, data, "scores", scores, {"c": {5: "diverged"}})
    _, paired = points.run(spec, [write(tmp_path, data, "difficulty", HARD, {})], [scored])
    change = np.array([0.2, 0.4, 0.6]) / 0.4 - np.array([0.1, 0.3, 0.2]) / 0.2
    expected = {"group": "twitter", "replicate": 0, "length": 5, "a": "a", "b": "b"}
    expected["log_ratio_se"] = pytest.approx(change.std(ddof=1) / np.sqrt(3))
    assert paired.to_pylist() == [expected]


def test_a_failed_cell_leaves_its_neighbours() -> None:
    def make(length: int) -> int:
        if length == 7:
            raise CellError("never reached")
        return length * 2

    assert each_length([5, 7, 9], make) == ({5: 10, 9: 18}, {7: "never reached"})
    with pytest.raises(ZeroDivisionError):
        each_length([5], lambda length: length // 0)
