"""`cascurve score` on files of other programs and of our own."""

import argparse

import numpy as np
import pyarrow as pa
import pytest

from cascurve.cascades import CascadeSet
from cascurve.commands import score
from cascurve.dataset import DataSet, DataSets
from cascurve.errors import ConfigError, DataError, UnknownNameError
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
    assert " ".join(lines[0]) == "measure mean s.e. chance its s.e. ceiling corrected normalised queries"
    values = np.array([5 / 6, 1, 0])  # of query 3 nothing is ranked, so that no ranking could find anything
    # three candidates, two recipients: they stand at 12, 13 or 23
    chance = (((1 + 1) / 2 + (1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 3 + 1 + 0) / 3
    error = values.std(ddof=1) / 3**0.5
    mean, ceiling = values.mean(), 2 / 3
    between = [(mean - chance) / (best - chance) for best in (1, ceiling)]
    assert lines[1][:4] == ["ap", *(f"{number:.5f}" for number in (mean, error, chance))]
    assert lines[1][4:] == ["exact", *(f"{number:.5f}" for number in (ceiling, *between)), "3"]
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


@pytest.fixture
def study(tmp_path):
    """A ranking and a data set as a study writes them; user 3 does not occur in training."""
    test = CascadeSet.of([[0, 2, 1], [0, 3], [1, 2]], 4)
    DataSets({3: DataSet(CascadeSet.of([[0, 2, 1]], 4), test)}).write(tmp_path / "data.parquet")
    rows = [[np.nan, 0.5, 0.9, 0.1], [0.3, np.nan, 0.2, 0.1]]
    table = pa.table(
        {
            "length": np.array([3, 3], np.int32),
            "source": np.array([0, 1], np.int32),
            "scores": pa.array(rows, pa.large_list(pa.float32())),
        }
    )
    write_table(table, tmp_path / "rankings.parquet", "rankings", failed={})
    return tmp_path / "rankings.parquet", tmp_path / "data.parquet"


def test_understands_a_study_s_own_files(study, tmp_path, capsys) -> None:
    command(*study, "-m", "average_precision", "-o", tmp_path / "o.parquet")
    table, header = read_table(tmp_path / "o.parquet", "scores")
    assert table.column_names == ["length", "cascade", "source", "ap"]
    np.testing.assert_allclose(table.column("ap").to_numpy(), [1, 1 / 3, 1 / 2])
    assert header["conventions"]["ap"]["parameters"] == {"k": None, "denominator": "truth"}
    shown = capsys.readouterr().out.splitlines()[1].split()
    # three candidates: two recipients stand at 12, 13 or 23; one at 1, 2 or 3
    chance = (((1 + 1) / 2 + (1 + 2 / 3) / 2 + (1 / 2 + 2 / 3) / 2) / 3 + 2 * (1 + 1 / 2 + 1 / 3) / 3) / 3
    assert [shown[i] for i in (0, 1, 3, 4, 5)] == ["ap", "0.61111", f"{chance:.5f}", "exact", "1.00000"]


@pytest.mark.parametrize(
    ("variant", "values"),
    [("seen", [1, 0, 1 / 2]), ("sourced", [1, (1 + 2 / 4) / 2, (1 + 2 / 3) / 2])],
)
def test_other_protocols_name_their_columns(study, tmp_path, capsys, variant, values) -> None:
    command(*study, "-m", "average_precision", "--protocol", variant, "-o", tmp_path / "o.parquet")
    table, header = read_table(tmp_path / "o.parquet", "scores")
    np.testing.assert_allclose(table.column(f"{variant}:ap").to_numpy(), values)
    assert list(header["conventions"]) == [f"{variant}:ap"]
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == [f"{variant}:ap", f"{np.mean(values):.5f}"]


def test_scores_that_are_probabilities_have_a_chance_level_with_an_error(study, capsys) -> None:
    command(*study, "-m", "rms")
    cells = capsys.readouterr().out.splitlines()[1].split()
    assert cells[0] == "rms"
    assert 0 < float(cells[4]) < 0.05
    assert cells[6] != "-"


def test_faults_are_named(files, tmp_path) -> None:
    with pytest.raises(UnknownNameError, match="no metrics module 'map'"):
        command(*files, "-m", "map")
    with pytest.raises(ConfigError, match=r"'--measure\.k': found 'ten'"):
        command(*files, "-m", "precision:k=ten")
    with pytest.raises(ConfigError, match="NAME:KEY=VALUE"):
        command(*files, "-m", "precision:10")
    with pytest.raises(ConfigError, match=r"ends in \.parquet or \.csv"):
        command(*files, "-o", tmp_path / "o.xlsx")
    with pytest.raises(ConfigError, match=r"'--protocol': found 'seen', expected none, for files of other programs"):
        command(*files, "--protocol", "seen")


def test_faults_of_files_are_named(files, study, tmp_path) -> None:
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(DataError, match=r"empty\.txt: expected at least one judged item, found none"):
        command(files[0], tmp_path / "empty.txt")
    with pytest.raises(DataError, match=r"empty\.txt: expected at least one ranked item, found none"):
        command(tmp_path / "empty.txt", files[1])
    (tmp_path / "strange.txt").write_text("nobody Q0 a 1 0.5 t\n")
    with pytest.raises(DataError, match=r"strange\.txt: expected a ranking of a query of .*, found 1 other queries"):
        command(tmp_path / "strange.txt", files[1])
    (tmp_path / "broken.parquet").write_text("x")
    with pytest.raises(DataError, match=r"broken\.parquet: not a readable Parquet file"):
        command(tmp_path / "broken.parquet", files[1])
    DataSets({}).write(tmp_path / "other.parquet")
    with pytest.raises(DataError, match=r"other\.parquet: expected a data set of each length .* none of length 3"):
        command(study[0], tmp_path / "other.parquet")
