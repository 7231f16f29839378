"""Mutated files: a correct import or one clear error, never a crash or a silent loss."""

import re
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.samples import SAMPLES

from cascurve import plugins
from cascurve.errors import DataError
from cascurve.formats import account, text
from cascurve.formats.times import is_number

Cascades = list[tuple[list[str], list[float]]]
PIECES = st.sampled_from(
    [*b' ,:\t\n\r"/-.;1a', *[b"7 ", b"\r\n", b"\n\n", b"1e5", b"nan", b"\xff", b"\x00", "ü".encode(), b"99999999999"]]
).map(lambda piece: piece if isinstance(piece, bytes) else bytes([piece]))


@st.composite
def mutated(draw: st.DrawFn, original: bytes) -> bytes:
    """The file with up to three insertions, deletions, replacements, repeated or swapped pieces."""
    data = original
    for _ in range(draw(st.integers(0, 3))):
        a, b = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        middle = draw(st.sampled_from([b"", data[a:b] * 2, data[a:b][::-1]]) | PIECES)
        data = data[:a] + middle + data[min(b, a + draw(st.integers(0, 12))) :]
    return data


def lines_of(content: str) -> list[str]:
    return [line for line in re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff")) if line.strip(" \t")]


def checked(users: list[str], times: list[str]) -> tuple[list[str], list[float]]:
    if not all(users) or len(set(users)) < len(users) or not all(map(is_number, times)):
        raise ValueError
    numbers = [float(time) for time in times]
    if numbers != sorted(numbers):
        raise ValueError
    return users, numbers


def twin_topolstm(content: str) -> Cascades:
    found = []
    for line in lines_of(content):
        source, *rest = re.split("[ \t]+", line.strip(" \t"))
        if len(rest) % 2:
            raise ValueError
        users, times = checked([source, *rest[0::2]], rest[1::2])
        if rest:
            found.append((users, times))
    return found


def twin_forest(content: str) -> Cascades:
    found = []
    for line in lines_of(content):
        items = re.split("[ \t]+", re.sub("[ \t]*,[ \t]*", ",", line.strip(" \t")))
        pairs = [item.split(",") for item in items]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError
        users, times = zip(*pairs, strict=True)
        found.append(checked(list(users), list(times)))
    return found


def twin_snidsa(content: str) -> Cascades:
    found = []
    for line in lines_of(content):
        users, times = (re.split("[ \t]*,[ \t]*", half.strip(" \t")) for half in line.split(":"))
        if len(users) != len(times):
            raise ValueError
        found.append(checked(users, times))
    return found


TWINS: dict[str, Callable[[str], Cascades]] = {
    "topolstm": twin_topolstm,
    "forest": twin_forest,
    "snidsa": twin_snidsa,
}


def attempt(name: str, data: bytes) -> tuple[Cascades | None, Exception | None]:
    """What the importer makes of the bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.txt"
        path.write_bytes(data)
        try:
            imported = plugins.load("formats", name).read({"all": path})
        except DataError as error:
            assert error.file == path, "the error names the file"
            assert error.line is None or 1 <= error.line <= data.count(b"\n") + data.count(b"\r") + 1
            return None, error
    kept, read = account.total(imported.account), imported.account[0]
    assert kept.participations == len(imported.cascades.users) <= read.participations
    labels = imported.labels.to_pylist()
    offsets, times = imported.cascades.offsets, imported.cascades.times
    assert times is not None
    return [
        ([labels[user] for user in imported.cascades.users[a:b]], times[a:b].tolist()) for a, b in pairwise(offsets)
    ], None


def check(name: str, data: bytes) -> None:
    found, error = attempt(name, data)
    if name not in TWINS:
        return
    try:
        assert b"\0" not in data
        expected = TWINS[name](data.decode())
        assert expected
    except (ValueError, AssertionError):
        assert found is None, f"taken, but malformed: {data!r}"
        return
    assert error is None, f"well-formed, but refused: {data!r}: {error}"
    assert found is not None
    assert [users for users, _ in found] == [users for users, _ in expected]
    for (_, times), (_, wanted) in zip(found, expected, strict=True):
        assert times[len(times) - len(wanted) :] == wanted


@pytest.mark.parametrize("name", sorted(SAMPLES))
@given(data=st.data())
@settings(max_examples=60)
def test_mutated_files(name, data) -> None:
    check(name, data.draw(mutated(SAMPLES[name])))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SAMPLES))
@given(data=st.data())
@settings(max_examples=10_000)
def test_many_mutated_files(name, data) -> None:
    check(name, data.draw(mutated(SAMPLES[name])))


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_size_of_blocks_does_not_matter(name, monkeypatch) -> None:
    data = SAMPLES[name] * 1 if name in ("table", "echoflow", "twitter2010") else SAMPLES[name].rstrip() + b"\r\n"
    whole = attempt(name, data)[0]
    assert whole
    for size in (1, 2, 7, 30):
        monkeypatch.setattr(text, "BLOCK", size)
        assert attempt(name, data)[0] == whole
