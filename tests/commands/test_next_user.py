"""`cascurve next_user`: a model under the next-user protocol."""

import argparse

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.commands import next_user
from cascurve.dataset import DataSet, DataSets
from cascurve.errors import ConfigError, UnknownNameError
from cascurve.storage import read_table


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    next_user.add_arguments(parser)
    return next_user.run(parser.parse_args([str(word) for word in words]))


@pytest.fixture
def data(tmp_path):
    """User 4 is the most popular in training, then 3, 2, 1, 0."""
    train = CascadeSet.of([[0, 4, 3, 2, 1], [1, 4, 3, 2], [2, 4, 3], [3, 4]], 5)
    test = CascadeSet.of([[0, 3, 4], [1, 4]], 5)
    DataSets({3: DataSet(train, test)}).write(tmp_path / "cascades.parquet")
    return tmp_path / "cascades.parquet"


def test_scores_every_true_prefix(data, tmp_path, capsys) -> None:
    assert command("popularity", data, "-m", "average_precision", "-o", tmp_path / "o.parquet") == 0
    table, header = read_table(tmp_path / "o.parquet", "scores")
    assert table.column_names == ["length", "cascade", "source", "next:ap"]
    assert list(header["conventions"]) == ["next:ap"]
    values = np.array([(1 / 2 + 1) / 2, 1])  # 3 stands behind 4; then 4 leads
    np.testing.assert_allclose(table.column("next:ap").to_numpy(), values)
    chance = np.array([(np.mean(1 / np.arange(1, 5)) + np.mean(1 / np.arange(1, 4))) / 2, np.mean(1 / np.arange(1, 5))])
    shown = capsys.readouterr().out.splitlines()[1].split()
    assert shown[:2] + shown[3:5] == ["next:ap", f"{values.mean():.5f}", f"{chance.mean():.5f}", "exact"]


def test_its_default_is_what_the_field_calls_map_at_10(data, capsys) -> None:
    command("popularity", data)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "next:ap@10[min]", "next:success@10", "next:rr",
    ]  # fmt: skip


def test_novelty_of_the_users_ranked_first(data, capsys) -> None:
    metrics = ["--novelty", "average_popularity", "--novelty", "coverage", "--novelty", "long_tail"]
    assert command("popularity", data, *metrics, "--cutoffs", 1, 2) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = dict(line.split()[:2] for line in lines if "@" in line and "next:" not in line)
    # the prefixes [0], [0, 3], [1] get 4, 3; 4, 2; 4, 3
    assert float(shown["average_popularity@1"]) == 4
    assert float(shown["average_popularity@2"]) == pytest.approx((4 + 3 + 4 + 2 + 4 + 3) / 6, abs=1e-5)
    assert (float(shown["coverage@1"]), float(shown["coverage@2"])) == (0.2, 0.6)
    assert shown["long_tail@1"] == "nan"  # no network is given


def test_faults_are_named(data) -> None:
    with pytest.raises(ConfigError, match="'--cutoffs': found 0"):
        command("popularity", data, "--novelty", "coverage", "--cutoffs", 0)
    with pytest.raises(UnknownNameError, match="no novelty module 'newness'"):
        command("popularity", data, "--novelty", "newness")
    with pytest.raises(UnknownNameError, match="no models module 'oracle_of_delphi'"):
        command("oracle_of_delphi", data)
    with pytest.raises(ConfigError, match="NAME:KEY=VALUE"):
        command("popularity:3", data)
