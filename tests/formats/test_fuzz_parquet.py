"""Damaged Parquet files, this project's and others': an import or one error that names the file.

What a byte of a value says cannot be told from what it said before, so there is no twin to compare with.
"""

import faulthandler
import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import DataError

LIMIT = 600
"""Seconds after which a file counts as one that hangs."""
NAMES = ("cascades", "table")


@functools.cache
def sample(name: str) -> bytes:
    """The cascades 7, 3, 12 and 3, 7."""
    users, times = [7, 3, 12, 3, 7], [10, 10, 20.5, 4, 5]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.parquet"
        if name == "cascades":
            CascadeSet(13, np.array([0, 3, 5]), np.array(users, np.int32), np.array(times)).write(path)
        else:
            pq.write_table(
                pa.table({"cascade": list("aaabb"), "user": [str(user) for user in users], "time": times}), path
            )
        return path.read_bytes()


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The file with up to three places cut, replaced or filled in."""
    data = whole
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.binary(max_size=4)) + data[place + draw(st.integers(0, 8)) :]
    return data


@pytest.fixture(scope="module", autouse=True)
def _watch() -> Iterator[None]:
    yield
    faulthandler.cancel_dump_traceback_later()


def check(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.parquet"
        path.write_bytes(data)
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        try:
            found = plugins.load("formats", name).read({"all": path})
        except DataError as error:
            assert error.file == path
        else:
            assert len(found.cascades)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=60)
def test_damaged_files(name, data) -> None:
    check(name, data.draw(damaged(sample(name))))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=10_000)
def test_many_damaged_files(name, data) -> None:
    check(name, data.draw(damaged(sample(name))))
