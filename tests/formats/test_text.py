"""Tokens and labels."""

import datetime
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.errors import DataError
from cascurve.formats import text, times
from cascurve.formats.interning import Labels
from cascurve.formats.text import tokens


def rows(path: Path, **options) -> list[tuple[int, list[str], str]]:
    """(line, tokens, the separators after them) of each row."""
    return [
        (int(block.lines[row]), [block.text(t) for t in range(a, b)], block.stops[a:b].tobytes().decode())
        for block in tokens(path, **options)
        for row, (a, b) in enumerate(zip(block.rows[:-1], block.rows[1:], strict=True))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b,c\n", [(1, ["a", "b", "c"], " ,\n")]),
        ("a , b ,\n", [(1, ["a", "b"], ",,")]),
        (",a,,b\n", [(1, ["", "a", "", "b"], ",,,\n")]),
        ("\n  \n a  b \n\nc", [(3, ["a", "b"], " \n"), (5, ["c"], "\n")]),
        ("a\r\rb\r\n\r\nc\n", [(1, ["a"], "\r"), (3, ["b"], "\r"), (5, ["c"], "\n")]),
    ],
)
def test_tokens(write, text, expected) -> None:
    assert rows(write(text), blanks=" ", separators=",") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a, b", c ,""\n', ["a, b", "c", ""]),
        ("a,b,\n", ["a", "b", ""]),
        ('"say ""x"" twice",1\n', ['say ""x"" twice', "1"]),
        ("don't 5\" wide,1\n", ["don't 5\" wide,1"]),
    ],
)
def test_tables(write, text, expected) -> None:
    assert [row[1] for row in rows(write(text), separators=",", table=True)] == [expected]


def test_an_open_quote_ends_with_its_line(write) -> None:
    assert [row[1] for row in rows(write('"a,b\nc,d\n'), separators=",", table=True)] == [['"a,b'], ["c", "d"]]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)))
def test_labels_are_numbered_as_met(texts) -> None:
    labels = Labels()
    codes = labels.codes_of(pa.array(texts, pa.string()))
    met = list(dict.fromkeys(texts))
    assert codes.tolist() == [met.index(text) for text in texts]
    assert [labels.text(code) for code in range(len(labels))] == met


def test_many_labels_of_all_sizes() -> None:
    """Long ones share their key's second word, so that equal hashes would show."""
    texts = list(dict.fromkeys(str(k) * (1 + k % 5) for k in range(20_000)))
    labels = Labels()
    assert labels.codes_of(pa.array(texts[:10_000])).tolist() == list(range(10_000))
    assert labels.codes_of(pa.array(texts[::-1])).tolist()[-10_000:] == list(range(10_000))[::-1]
    assert len(labels) == len(texts)


def test_labels_in_order() -> None:
    labels = Labels()
    labels.codes_of(pa.array(["10", "9", "-3", "007", "7"]))
    ordered, places = labels.ordered(np.array([True, True, True, True, True]))
    assert ordered.to_pylist() == ["-3", "007", "7", "9", "10"]
    assert places.tolist() == [4, 3, 0, 1, 2]
    ordered, places = labels.ordered(np.array([True, False, True, False, False]))
    assert ordered.to_pylist() == ["-3", "10"]
    assert places.tolist() == [1, -1, 0, -1, -1]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_are_rounded_as_python_rounds_them(values) -> None:
    found = times.numbers(pa.array(map(repr, values), pa.string()))
    assert found.tolist() == values


@given(
    st.lists(
        st.floats(allow_nan=False, allow_infinity=False).map(repr)
        | st.floats(-1e9, 1e9).map("{:.3f}".format)
        | st.integers(-(10**17), 10**17).map(str)
        | st.from_regex(r"-?[0-9]{0,17}\.?[0-9]{0,4}(e[+-]?[0-9]{0,3})?", fullmatch=True)
    )
)
def test_plain_numbers_are_those_of_arrow_or_left_to_it(texts) -> None:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = ends - np.array([len(text) for text in texts], np.int64)
    found = times.plain_numbers(np.frombuffer("".join(texts).encode(), np.uint8), starts, ends)
    expected = times.numbers(pa.array(texts, pa.string()))
    taken = ~np.isnan(found)
    assert found[taken].tolist() == expected[taken].tolist()
    for shown, value in zip(texts, found.tolist(), strict=True):
        assert value == value or len(shown) > 10 or not shown.isdecimal(), "short integers are taken"  # noqa: PLR0124


@given(st.dates().map(str) | st.from_regex(r"(19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]", fullmatch=True), st.times())
def test_dates_are_those_of_the_calendar(day, hour) -> None:
    clock = hour.replace(microsecond=0).isoformat()
    try:
        midnight = datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()
    except ValueError:
        midnight = math.nan
    seconds = 3600 * hour.hour + 60 * hour.minute + hour.second
    texts = [day, f"{day} {clock}", f"{day}-{clock}", f"{day}T{clock}", f"{day}T{clock}Z", f"{day} {clock}-03:30"]
    expected = midnight + np.array([-7200, *[seconds - 7200] * 3, seconds, seconds + 12600])
    np.testing.assert_array_equal(times.dates(pa.array(texts, pa.string()), 2.0), expected)


def test_what_is_no_date() -> None:
    texts = ["12-1-3", "2012-02-31", "2012-13-01", "2012-01-01x", "2012", "", "01/02/2012", "2012-01-01 25:00:00"]
    assert np.isnan(times.dates(pa.array(texts, pa.string()), 0.0)).all()


def test_a_directory_is_not_a_file(tmp_path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        list(tokens(tmp_path))


def test_a_file_without_line_ends_is_not_read_to_its_end(write, monkeypatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 8)
    monkeypatch.setattr(text, "LONGEST", 80)
    path = write("a b c " * 20)
    with pytest.raises(DataError, match="no line ends within") as caught:
        list(tokens(path, blanks=" "))
    assert caught.value.file == path


def test_columns_that_are_not_asked_for_only_count(write) -> None:
    (block,) = tokens(write('a,"b,c",d\n\ne\nf,g,h,i\n'), separators=",", table=True, columns=[1, 2])
    assert block.fields.tolist() == [3, 1, 4]
    assert [[block.text(t) for t in range(a, b)] for a, b in pairwise(block.rows)] == [["b,c", "d"], [], ["g", "h"]]
    assert block.lines.tolist() == [1, 3, 4]
