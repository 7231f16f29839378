"""`cascurve expect` on points of a known curve."""

import json

import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_points

from cascurve.cli import main
from cascurve.storage import write_table


@pytest.fixture
def points(tmp_path):
    write_table(make_points(degrees=tuple(range(3, 11))), tmp_path / "points.parquet", "points")
    return str(tmp_path / "points.parquet")


def test_the_interval_holds_the_curve(points, capsys) -> None:
    where = ["--model", "cdk", "--difficulty", "0.4", "-n", "500", "-l", "20", "--x", "apce"]
    assert main(["expect", points, *where, "--above", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    truth = (2 + 60 * np.exp(-4 * 0.4)) * 20 / 500
    assert found["low"] < truth < found["high"] < 1.5 * truth
    assert 0.5 < found["above_up_to"] < np.log(20) / 4  # 2 + 60 exp(-4 x) = 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"--difficulty": "3"}, "difficulty 3 is outside"),
        ({"--model": "nobody"}, "no model 'nobody'"),
        ({"--x": "entropy"}, "no difficulty column 'entropy'"),
        ({"--group": "ba"}, "no group 'ba'"),
        ({"-n": "0"}, "'--length': found 20, expected from 2 users to all 0"),
        ({"-n": "19"}, "'--length': found 20, expected from 2 users to all 19"),
        ({"-l": "1"}, "'--length': found 1, expected from 2 users to all 500"),
        ({"-n": "100", "-l": "90"}, "above 1"),
    ],
)
def test_what_cannot_be_told_is_an_error(points, capsys, change, message) -> None:
    options = {"--model": "cdk", "--difficulty": "0.4", "-n": "500", "-l": "20", "--x": "apce"} | change
    assert main(["expect", points, *(word for pair in options.items() for word in pair)]) == 1
    assert message in capsys.readouterr().err


def test_a_group_without_a_curve_is_told_and_the_others_are_answered(tmp_path, capsys) -> None:
    both = pa.concat_tables([make_points(degrees=(4,), groups=("ba",)), make_points(degrees=tuple(range(3, 11)))])
    write_table(both, tmp_path / "points.parquet", "points")
    where = ["--model", "cdk", "--difficulty", "0.4", "-n", "500", "-l", "20", "--x", "apce"]
    assert main(["expect", str(tmp_path / "points.parquet"), *where]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("er: MAP of cdk") and told.out.count("\n") == 1
    assert "left out: model 'cdk' has 3 networks in group 'ba'" in told.err
