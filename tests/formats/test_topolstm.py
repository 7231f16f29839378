"""Import of Topo-LSTM / Inf-VAE text."""

from pathlib import Path

import numpy as np
import pytest

from cascurve.errors import DataError
from cascurve.formats import account, topolstm
from cascurve.formats.imported import Imported

GRAPH = "a b\nb c\n"


def decoded(imported: Imported) -> list[list[str]]:
    labels = imported.labels.to_pylist()
    return [[labels[user] for user in cascade] for cascade in imported.cascades]


def readable_twin(path: Path) -> list[tuple[list[str], list[float]]]:
    """The format, read line by line."""
    found = []
    for line in path.read_text().splitlines():
        source, *rest = line.split()
        found.append(([source, *rest[0::2]], [float(time) for time in rest[1::2]]))
    return found


def test_users_order_times_and_parts(write) -> None:
    train = write("10 9 5 2 7.5\n9 10 1e3\n", "train.txt")
    test = write("2 33 -4\n", "test.txt")
    imported = topolstm.read({"train": train, "test": test})
    assert imported.labels.to_pylist() == ["2", "9", "10", "33"]
    assert decoded(imported) == [["10", "9", "2"], ["9", "10"], ["2", "33"]]
    assert imported.cascades.times is not None
    assert imported.cascades.times[[1, 2, 4, 6]].tolist() == [5, 7.5, 1000, -4]
    assert imported.in_part("test").tolist() == [False, False, True]
    assert imported.lines.tolist() == [1, 2, 1]
    assert imported.graph is None


@pytest.mark.parametrize("rule", ["just_before", "with_first"])
def test_the_sources_time(write, rule) -> None:
    times = topolstm.read({"all": write("a b 14043.0 c 14044\n")}, source_time=rule).cascades.times
    assert times is not None
    assert times[0] == (14043.0 if rule == "with_first" else np.nextafter(14043.0, 0))


@pytest.mark.parametrize(
    "text", ["a b 1\r\nc d 2\r\n", "a b 1\rc d 2\r", "\n a  b\t1 \n\n\nc d 2", "\ufeffa b 1\nc d 2\n"]
)
def test_line_ends_blanks_and_byte_order_mark(write, text) -> None:
    assert decoded(topolstm.read({"all": write(text)})) == [["a", "b"], ["c", "d"]]


def test_labels_that_are_not_all_numbers_are_sorted_as_text(write) -> None:
    imported = topolstm.read({"all": write("10 9 1 b 2 ü 3\n")})
    assert imported.labels.to_pylist() == ["10", "9", "b", "ü"]


def test_numbering_does_not_depend_on_the_order_of_lines(write) -> None:
    lines = ["7 8 1 9 2", "30 7 5", "8 30 1"]
    one = topolstm.read({"all": write("\n".join(lines))})
    other = topolstm.read({"all": write("\n".join(reversed(lines)), "other.txt")})
    assert one.labels.equals(other.labels)
    assert decoded(one) == decoded(other)[::-1]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a b 1\nc d\n", 2, "expected a source and pairs of user and time, found 2 fields"),
        ("a b 1\n\nc d 1 e 2 f\n", 3, "found 6 fields"),
        ("a b 1\nc d x1\n", 2, "expected a time .a finite number., found 'x1'"),
        ("a b nan\n", 1, "found 'nan'"),
        ("a b 1 c inf\n", 1, "found 'inf'"),
        ("a b 1\na b 1 a 2\n", 2, "user a stands twice"),
        ("a b 1\na b 3 c 2.5\n", 2, "time decreases: user c at 2.5 after 3"),
        (b"a b 1\nc \xff 2\n", 2, "expected UTF-8 text, found the byte 0xff"),
        (b"a b 1\nc \x00 2\n", 2, "zero byte"),
    ],
)
def test_a_malformed_line_is_one_clear_error(write, text, line, message) -> None:
    path = write(text)
    with pytest.raises(DataError, match=message) as caught:
        topolstm.read({"all": path})
    assert (caught.value.file, caught.value.line) == (path, line)
    assert ";" in str(caught.value), "says what to do"


@pytest.mark.parametrize("text", ["", "\n \n", "a\nb\n"])
def test_a_file_without_cascades(write, text) -> None:
    with pytest.raises(DataError, match=r"empty|no cascade left"):
        topolstm.read({"all": write(text)})


def test_a_missing_file(tmp_path) -> None:
    with pytest.raises(DataError, match="file not found"):
        topolstm.read({"all": tmp_path / "none.txt"})


def test_repairs_on_request_stand_in_the_account(write) -> None:
    path = write("a b 3 c 2 b 4\nd\na c 1\n")
    imported = topolstm.read({"all": path}, unsorted="sort", repeated="first")
    assert decoded(imported) == [["a", "c", "b"], ["a", "c"]]
    steps = {step.step: step for step in imported.account}
    assert steps["repeated users left out"].participations == -1
    alone = steps["sources without a recipient, whose time is not known, left out"]
    assert (alone.cascades, alone.users, alone.participations) == (-1, -1, -1)
    assert steps["cascades sorted by time"].note == "1 cascades"
    assert account.total(imported.account) == account.Step("kept", 2, 3, 5)


@pytest.mark.parametrize(
    ("text", "links", "note"),
    [
        ("a b\nb c\nb c\nc c\n", 4, "4 lines"),
        ("3 2\na b\nb c\n", 4, "the header says 3 nodes and 2 links, found 3 and 2"),
        ("1 2\n1 3\n", 4, "2 lines"),
        ("99 21\n" + "".join(f"{k} {k + 1}\n" for k in range(20)), 40, "says 99 nodes and 21 links, found 21 and 20"),
    ],
)
def test_a_header_is_recognised_and_a_link_never_lost(write, text, links, note) -> None:
    imported = topolstm.read({"all": write("a b 1\n")}, graph=write(text, "graph.txt"))
    assert imported.graph is not None
    assert imported.graph.n_links == links
    assert any(note in step.note for step in imported.account)


@pytest.mark.parametrize(
    ("meaning", "expected"), [("forward", [(0, 1)]), ("backward", [(1, 0)]), ("undirected", [(0, 1), (1, 0)])]
)
def test_direction_of_links(write, meaning, expected) -> None:
    graph = topolstm.read({"all": write("a b 1\n")}, graph=write("a b\n", "graph.txt"), links=meaning).graph
    assert graph is not None
    assert list(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True)) == expected


def test_a_malformed_link_names_its_line(write) -> None:
    graph = write("a b\nb c 1\n", "graph.txt")
    with pytest.raises(DataError, match="expected a link of two users, found 3 fields") as caught:
        topolstm.read({"all": write("a b 1\n")}, graph=graph)
    assert (caught.value.file, caught.value.line) == (graph, 2)


def test_round_trip_on_disk(write, tmp_path) -> None:
    imported = topolstm.read({"train": write("a b 1\nb c 2 a 3\n")}, graph=write(GRAPH, "graph.txt"))
    imported.write(tmp_path / "imported")
    again = Imported.read(tmp_path / "imported")
    assert decoded(again) == decoded(imported)
    assert again.account == imported.account
    assert (again.parts, again.lines.tolist()) == (("train",), [1, 2])
    assert again.graph is not None
    assert again.graph.n_links == 4


def test_twitter(shared_data) -> None:
    folder = shared_data / "twitter_topolstm"
    files = {part: folder / f"{part}.txt" for part in ("train", "test")}
    imported = topolstm.read(files, graph=folder / "graph.txt")
    read = imported.account[0]
    assert (read.cascades, read.users, read.participations) == (569, 6126, 9697)
    assert [int(imported.in_part(part).sum()) for part in imported.parts] == [456, 113]
    assert any("234 steps without a difference" in step.note for step in imported.account)
    assert imported.graph is not None
    assert imported.graph.n_links == 2 * 8529
    a, b = (imported.labels.to_pylist().index(label) for label in ("37", "476"))
    assert b in imported.graph.targets(a), "the first line is a link, not a header"
    twin = readable_twin(files["train"])
    assert decoded(imported)[:456] == [users for users, _ in twin]


def test_android(shared_data) -> None:
    folder = shared_data / "android_infvae"
    files = {part: folder / f"{name}.txt" for part, name in (("train", "train"), ("valid", "val"), ("test", "test"))}
    imported = topolstm.read(files, graph=folder / "graph.txt")
    read = imported.account[0]
    assert (read.cascades, read.users, read.participations) == (679, 2927, 29022)
    assert imported.graph is not None
    assert imported.graph.n_links == 2 * 42915
    assert any("says 9958 nodes and 48573 links, found 9940 and 48573" in step.note for step in imported.account)
    twin = readable_twin(files["train"])
    times = imported.cascades.times
    assert times is not None
    for cascade, (_, expected) in enumerate(twin):
        start, end = imported.cascades.offsets[cascade : cascade + 2]
        assert times[start + 1 : end].tolist() == expected
