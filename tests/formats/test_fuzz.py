"""Mutated files: a correct import or one clear error, never a crash or a silent loss."""

import faulthandler
import re
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formats.samples import SAMPLES
from tests.formats.twins import TWINS, Cascade, expected

from cascurve import plugins
from cascurve.errors import DataError
from cascurve.formats import account, text
from cascurve.formats.imported import Imported

LIMIT = 20.0
"""Seconds of CPU for one small file; none needs a hundredth of it."""
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


@pytest.fixture(scope="module", autouse=True)
def _watch() -> Iterator[None]:
    """A hang ends the process, with the place where it hangs, even inside of a kernel."""
    yield
    faulthandler.cancel_dump_traceback_later()


def attempt(name: str, data: bytes) -> tuple[Imported | None, Exception | None]:
    """What the importer makes of the bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.txt"
        path.write_bytes(data)
        faulthandler.dump_traceback_later(30 * LIMIT, exit=True)
        start = time.process_time()
        try:
            return plugins.load("formats", name).read({"all": path}), None
        except DataError as error:
            assert error.file == path, "the error names the file"
            assert error.line is None or 1 <= error.line <= data.count(b"\n") + data.count(b"\r") + 1
            return None, error
        finally:
            assert time.process_time() - start < LIMIT, f"slow: {data!r}"


def decoded(imported: Imported) -> list[Cascade]:
    labels = imported.labels.to_pylist()
    offsets, times = imported.cascades.offsets, imported.cascades.times
    assert times is not None
    return [
        ([labels[user] for user in imported.cascades.users[a:b]], times[a:b].tolist()) for a, b in pairwise(offsets)
    ]


def check(name: str, data: bytes) -> None:
    """Taken as its twin takes it, every participation in the account, or refused with file and line."""
    found, error = attempt(name, data)
    try:
        cascades, read = expected(name, data)
    except (ValueError, IndexError):
        assert found is None, f"taken, but malformed: {data!r}"
        assert isinstance(error, DataError)
        assert error.line is not None or re.search("empty|no rows|no cascade left", str(error)), str(error)
        return
    assert error is None, f"well-formed, but refused: {data!r}: {error}"
    assert found is not None
    assert decoded(found) == cascades
    assert found.account[0].participations == read, "every participation of the file is in the account"
    assert account.total(found.account).participations == sum(len(users) for users, _ in cascades)


def test_every_format_has_a_twin() -> None:
    assert set(TWINS) == set(SAMPLES)


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
    cascades = decoded(whole)
    for size in (1, 2, 7, 30):
        monkeypatch.setattr(text, "BLOCK", size)
        found = attempt(name, data)[0]
        assert found
        assert decoded(found) == cascades
