import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.commands import difficulty
from cascurve.dataset import DataSet, DataSets
from cascurve.errors import ConfigError, DataError
from cascurve.storage import read_table

PAPER = CascadeSet.of([[1, 2, 3, 4], [1, 3, 2]], times=[[0.0, 1.0, 2.0, 3.0], [5.0, 6.0, 7.0]])


def run(*arguments: str | Path) -> None:
    parser = argparse.ArgumentParser()
    difficulty.add_arguments(parser)
    assert difficulty.run(parser.parse_args(list(map(str, arguments)))) == 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    PAPER.write(tmp_path / "paper.parquet")
    return tmp_path / "paper.parquet"


def test_json_card_of_the_papers_example(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(file, "--json", "--all", "--by-source", "--windows", "2")
    card = json.loads(capsys.readouterr().out)
    assert card["apce"]["value"] == 2 / 9
    assert (card["n_users"], card["active_users"], card["cascades"], card["entries"]) == (5, 4, 2, 7)
    assert card["length_quantiles"] == [3, 3.25, 3.5, 3.75, 4]
    assert card["support_share"] == {"1": 0.5, "2": 0.5, "3": 0, "4": 0, "5+": 0}
    assert card["kendall_tau"]["value"] == pytest.approx(1 / 3)
    assert card["apce_rel"]["se"] is None  # JSON has no NaN
    assert set(card["apce_zhang"]) == {"value", "se", "low", "high"}
    assert "mean pair support 1.5" in card["warning"]
    assert [row["cascades"] for row in card["by_source"]] == [2]
    assert [row["cascades"] for row in card["windows"]] == [2]


def test_text_card(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(file)
    text = capsys.readouterr().out
    assert "APCE, plug-in (eq. 5)   0.2222" in text and "warning: mean pair support 1.5" in text


def test_parts_of_apce_bear_the_files_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("70 80 1.0 90 2.0\n70 90 4.0 80 6.0\n")
    run(path, "--format", "topolstm", "--json", "--by-source", "--contributions", "--pairs", tmp_path / "pairs.parquet")
    card = json.loads(capsys.readouterr().out)
    assert [row["source"] for row in card["by_source"]] == ["70"]
    assert {row["user"]: row["share"] for row in card["by_user"]} == pytest.approx({"80": 1 / 6, "90": 1 / 6, "70": 0})
    assert [row["share"] for row in card["by_position"]] == pytest.approx([0, 1 / 6, 1 / 6])
    pairs, _ = read_table(tmp_path / "pairs.parquet", "pairs")
    assert pairs.to_pylist() == [
        {"i": "70", "j": "80", "support": 2, "i_first": 2, "pce": 0.0},
        {"i": "70", "j": "90", "support": 2, "i_first": 2, "pce": 0.0},
        {"i": "80", "j": "90", "support": 2, "i_first": 1, "pce": 1.0},
    ]
    run(path, "--format", "topolstm", "--contributions")
    assert "position" in capsys.readouterr().out


def test_text_file_of_a_known_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("7 8 1.0 9 2.0\n7 9 4.0 8 6.0\n")
    run(path, "--format", "topolstm", "--json")
    assert json.loads(capsys.readouterr().out)["apce"]["value"] == pytest.approx(1 / 3)


def test_data_sets_by_length_and_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train, test = CascadeSet.of([[0, 1], [1, 0]], 3), CascadeSet.of([[0, 1], [0, 2]], 3)
    path = tmp_path / "datasets.parquet"
    DataSets({2: DataSet(train, test), 3: DataSet(train, test)}).write(path)
    found = []
    for part in ("train", "test", "all"):
        run(path, "--length", "2", "--part", part, "--json")
        card = json.loads(capsys.readouterr().out)
        found.append((card["cascades"], card["apce"]["value"]))
    assert found == [(2, 1.0), (2, 0.0), (4, pytest.approx(3 / 4 * 0.9182958340544896))]
    with pytest.raises(ConfigError, match=r"--length.*\[2, 3\]"):
        run(path)
    with pytest.raises(ConfigError, match=r"--part.*\['test', 'train'\]"):
        run(path, "--length", "3", "--part", "valid")


def test_numbers_out_of_range_are_told(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("7 8 1.0 9 2.0\n7 9 4.0 8 6.0\n")
    for flag, value in (("--windows", "0"), ("--bootstrap", "1"), ("--seed", "-1"), ("--threads", "0")):
        with pytest.raises(ConfigError, match=f"{flag}.*{value}.*an integer >="):
            run(path, flag, value)
    with pytest.raises(ConfigError, match=r"--length.*no length for a file of a foreign format"):
        run(path, "--format", "topolstm", "--length", "2")


def test_what_was_left_out_or_reordered_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The card describes the rest."""
    path = tmp_path / "cut.txt"
    path.write_text("1 5,2 6,3 7,\n2 5,3 6,1 6,\n4\n")
    run(path, "--format", "mshgat", "--option", "unit=hours")
    told = capsys.readouterr()
    assert "cut.txt: 3 cascades" in told.err
    assert "left out: 1 cascades, 1 participations" in told.err
    assert "1 steps without a difference in time" in told.err and "numbers given in hours" in told.err
    assert "cascades                2 (6 entries)" in told.out
    with pytest.raises(ConfigError, match=r"--option\.bogus"):
        run(path, "--format", "mshgat", "--option", "bogus=1")


def test_few_cascades_have_no_jackknife_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two cascades both may leave the same value out, and the error would be 0."""
    path = tmp_path / "two.txt"
    path.write_text("1 2 1 3 2 4 3\n1 3 1 2 2\n")
    run(path, "--format", "topolstm", "--json", "--by-source")
    card = json.loads(capsys.readouterr().out)
    assert card["apce"] == {"value": pytest.approx(2 / 9), "se": None, "low": None, "high": None}
    assert card["by_source"][0]["apce_bayes_se"] is None
    run(path, "--format", "topolstm", "--json", "--bootstrap", "20")
    assert json.loads(capsys.readouterr().out)["apce"]["se"] > 0
    path.write_text("1 2 1 3 2 4 3\n1 3 1 2 2\n" * 5)
    run(path, "--format", "topolstm", "--json")
    assert json.loads(capsys.readouterr().out)["apce"]["se"] is not None


def test_what_cannot_be_known_is_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.txt"
    path.write_text("7 8 1.0 9 2.0\n")
    run(path, "--format", "topolstm")
    assert "APCE, corrected         unknown  [unknown, unknown]" in capsys.readouterr().out


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.txt"):
        run(tmp_path / "none.txt")


def test_interval_is_two_sided() -> None:
    assert difficulty._with_interval(0.5, 0.1) == pytest.approx({"value": 0.5, "se": 0.1, "low": 0.304, "high": 0.696})
    assert np.isnan(difficulty._with_interval(0.5, np.nan)["low"])
