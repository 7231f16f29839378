"""Files with faults are told by file and line; compressed ones give the same."""

import gzip

import pytest

from cascurve.errors import ConfigError, DataError
from cascurve.timeaware.judgments import read_judgments
from cascurve.timeaware.runs import read_run, require_distinct_runs
from cascurve.timeaware.slices import slicing

JUDGED = "N a 100-a x 1000 2 1\nN a 101-b x 1000 1 1\n"
RUN = "# head\n\nt r 100-a x 3 1 1\nt r 101-b x 2 1 1\n"


def judgments(folder, text: str = JUDGED, **options):
    (folder / "judged.txt").write_text(text)
    return read_judgments([folder / "judged.txt"], start=90, end=120, **options)


def run(folder, text: str):
    (folder / "run.txt").write_text(text)
    return read_run(folder / "run.txt", judgments(folder))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RUN + "t r 102-c x 2 1\n", r"run\.txt:5: expected the 7 columns 'team run document .*', found 6"),
        (RUN + "t r 102-c x two 1 1\n", r"run\.txt:5: expected a confidence \(a finite number\), found 'two'"),
        (RUN + "t r c102 x 2 1 1\n", r"run\.txt:5: expected a document such as .*, found 'c102'"),
        (RUN + "t other 102-c x 2 1 1\n", r"run\.txt:5: expected run 'r' as in the lines above, found 'other'"),
        (RUN + "u r 102-c x 2 1 1\n", r"run\.txt:5: expected team 't'"),
        (RUN + "t r 100-a x 9 1 1\n", r"run\.txt:5: document '100-a' stands twice for entity 'x'"),
        ("# nothing\n", r"run\.txt: expected predictions, found only comments"),
        ("", r"run\.txt: the file is empty"),
    ],
)
def test_a_run_with_a_fault(tmp_path, text, words) -> None:
    with pytest.raises(DataError, match=words):
        run(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (JUDGED + "N a 100-a x 1000 high 1\n", r"judged\.txt:3: expected a label .* found 'high'"),
        ("N a 100-a x 0 2 1\n", r"judged\.txt: none of 1 judgments has a confidence above 0"),
        ("N a 500-a x 9 2 1\n", r"none of 1 judgments .* \[90, 120\)"),
    ],
)
def test_judgments_with_a_fault(tmp_path, text, words) -> None:
    with pytest.raises(DataError, match=words):
        judgments(tmp_path, text)


def test_entities_are_taken_in_the_order_given_and_none_twice(tmp_path) -> None:
    assert judgments(tmp_path, entities=["w", "x"]).entities == ("w", "x")
    with pytest.raises(ConfigError, match="found 'x', expected no name twice"):
        judgments(tmp_path, entities=["x", "x"])


def test_the_same_run_in_two_files_is_refused(tmp_path) -> None:
    files = {}
    require_distinct_runs(files, ("t", "r"), tmp_path / "a")
    with pytest.raises(DataError, match=r"run 'r' of team 't' is in .*a too"):
        require_distinct_runs(files, ("t", "r"), tmp_path / "b")


def test_compressed_files_give_the_same(tmp_path) -> None:
    plain = run(tmp_path, RUN)
    (tmp_path / "run.txt.gz").write_bytes(gzip.compress(RUN.encode()))
    (tmp_path / "judged.txt.gz").write_bytes(gzip.compress(JUDGED.encode()))
    packed = read_judgments([tmp_path / "judged.txt.gz"], start=90, end=120)
    assert packed.label.tolist() == [2, 1]
    again = read_run(tmp_path / "run.txt.gz", packed)
    assert (again.team, again.name, again.counts) == (plain.team, plain.name, plain.counts)
    (tmp_path / "cut.gz").write_bytes(gzip.compress(RUN.encode())[:-9])
    with pytest.raises(DataError, match=r"cut\.gz: not a whole gzip file"):
        read_run(tmp_path / "cut.gz", packed)


@pytest.mark.parametrize(
    ("name", "width", "count"),
    [("all", 100.0, 1), ("7", 7.0, 15), ("0.5min", 30.0, 4), ("day", 86400.0, 1), ("36h", 129600.0, 1)],
)
def test_slices_begin_before_the_end(name, width, count) -> None:
    step = slicing(name, 10, 110)
    assert (step.width, step.count) == (width, count)
    assert step.lows[-1] < 110


@pytest.mark.parametrize("name", ["fortnight", "0h", "-3d", "", "3 years"])
def test_a_width_that_is_none_is_refused(name) -> None:
    with pytest.raises(ConfigError, match=r"expected all, minute, hour, day, week, month, or a number"):
        slicing(name, 0, 1)
