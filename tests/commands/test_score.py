"""`cascurve score` on files of other programs and of our own."""

import argparse

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cascurve.cascades import CascadeSet
from cascurve.commands import score
from cascurve.dataset import DataSet, DataSets
from cascurve.errors import ConfigError, UnknownNameError
from cascurve.storage import read_table, write_table


def command(*words: str) -> int:
    parser = argparse.ArgumentParser()
    score.add_arguments(parser)
    return score.run(parser.parse_args([str(word) for word in words]))


@pytest.fixture
def files(tmp_path):
    run, truth = tmp_path / "run.txt", tmp_path / "qrels.txt"
    run.write_text("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n2 Q0 a 1 9 t\n9 Q0 a 1 1 t\n")
    truth.write_text("1 0 a 1\n1 0 c 1\n2 0 a 1\n3 0 a 1\n")
    return run, truth


def test_prints_means_and_chance(files, capsys) -> None:
    assert command(*files, "-m", "average_precision", "-m", "precision:k=2") == 0
    shown = capsys.readouterr()
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[0] == ["measure", "mean", "s.e.", "chance", "queries"]
    values = np.array([5 / 6, 1, 0])  # of query 3 nothing is ranked, so that no ranking could find anything
    # three candidates, two recipients: they stand at 12, 13 or 23
    chance = (((1 + 1) / 2 + (1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 3 + 1 + 0) / 3
    error = values.std(ddof=1) / 3**0.5
    assert lines[1] == ["ap", *(f"{number:.5f}" for number in (values.mean(), error, chance)), "3"]
    assert lines[2][:2] == ["precision@2", "0.33333"]
    assert "1 queries have a ranking but no truth" in shown.err
    assert "1 have a truth but no ranking" in shown.err


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_writes_one_row_per_query(files, tmp_path, suffix) -> None:
    out = tmp_path / "deep" / f"scores.{suffix}"
    command(*files, "-m", "average_precision", "-o", out)
    if suffix == "csv":
        assert out.read_text().splitlines()[0] == '"query","ap"'
        assert len(out.read_text().splitlines()) == 4
    else:
        table, _ = read_table(out, "scores")
        assert table.column("query").to_pylist() == ["1", "2", "3"]
        np.testing.assert_allclose(table.column("ap").to_numpy(), [5 / 6, 1, 0])


def test_understands_a_study_s_own_files(tmp_path, capsys) -> None:
    test = CascadeSet.of([[0, 2, 1], [0, 3], [1, 2]], 4)
    DataSets({3: DataSet(test, test)}).write(tmp_path / "data.parquet")
    rows = [[np.nan, 0.5, 0.9, 0.1], [0.3, np.nan, 0.2, 0.1]]
    table = pa.table(
        {
            "length": np.array([3, 3], np.int32),
            "source": np.array([0, 1], np.int32),
            "scores": pa.array(rows, pa.large_list(pa.float32())),
        }
    )
    write_table(table, tmp_path / "rankings.parquet", "rankings", failed={})
    command(
        tmp_path / "rankings.parquet",
        tmp_path / "data.parquet",
        "-m",
        "average_precision",
        "-o",
        tmp_path / "o.parquet",
    )
    np.testing.assert_allclose(pq.read_table(tmp_path / "o.parquet").column("ap").to_numpy(), [1, 1 / 3, 1 / 2])
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["ap", "0.61111"]


def test_faults_are_named(files, tmp_path) -> None:
    with pytest.raises(UnknownNameError, match="no metrics module 'map'"):
        command(*files, "-m", "map")
    with pytest.raises(ConfigError, match=r"'--measure\.k': found 'ten'"):
        command(*files, "-m", "precision:k=ten")
    with pytest.raises(ConfigError, match="NAME:KEY=VALUE"):
        command(*files, "-m", "precision:10")
    with pytest.raises(ConfigError, match=r"ends in \.parquet or \.csv"):
        command(*files, "-o", tmp_path / "o.xlsx")
