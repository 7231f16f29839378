"""A merge copies what is sound and known, and refuses the rest before it copies anything."""

from pathlib import Path

import pyarrow as pa
import pytest

from cascurve.cli import main
from cascurve.commands.merge import RECORDS, _record
from cascurve.storage import write_table

TABLE = Path("results", "s", "scores", "x=1", "scores.parquet")


@pytest.fixture
def share(tmp_path: Path) -> Path:
    folder = tmp_path / "share"
    write_table(pa.table({"a": [1, 2]}), folder / TABLE, "scores")
    record = folder / _record(RECORDS, TABLE)
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    return folder


def merge(share: Path, into: Path) -> int:
    return main(["merge", str(share), "--into", str(into)])


def test_a_table_comes_with_its_time_and_its_record(share: Path, tmp_path: Path) -> None:
    into = tmp_path / "into"
    assert merge(share, into) == 0
    assert (into / TABLE).read_bytes() == (share / TABLE).read_bytes()
    assert (into / TABLE).stat().st_mtime_ns == (share / TABLE).stat().st_mtime_ns
    assert (into / _record(RECORDS, TABLE)).read_text() == "{}"
    assert merge(share, into) == 0


def unknown(share: Path) -> None:
    (share / _record(RECORDS, TABLE)).unlink()


def truncated(share: Path) -> None:
    (share / TABLE).write_bytes((share / TABLE).read_bytes()[:-9])


def dangling(share: Path) -> None:
    (share / TABLE).unlink()
    (share / TABLE).symlink_to("/nowhere/cache")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (unknown, "copy its .snakemake/metadata too"),
        (truncated, "not a readable Parquet file"),
        (dangling, "rsync -aL"),
    ],
)
def test_what_is_damaged_or_unknown_is_refused(share: Path, tmp_path: Path, capsys, damage, words: str) -> None:
    damage(share)
    assert merge(share, tmp_path / "into") == 1
    told = capsys.readouterr().err
    assert words in told
    assert str(TABLE) in told
    assert not (tmp_path / "into").exists()


def test_a_job_that_was_cut_short_is_left_out(share: Path, tmp_path: Path) -> None:
    mark = share / _record(Path(".snakemake", "incomplete"), TABLE)
    mark.parent.mkdir(parents=True)
    mark.touch()
    assert merge(share, tmp_path / "into") == 0
    assert not (tmp_path / "into" / TABLE).exists()


def test_a_folder_without_results_is_refused(tmp_path: Path, capsys) -> None:
    assert merge(tmp_path, tmp_path) == 1
    assert "no folder results/" in capsys.readouterr().err
