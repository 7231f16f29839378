"""A plain long table, one participation a row: CSV, TSV or Parquet with columns for cascade, user and time."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.long_table import read_table, split_line
from cascurve.formats.raw import Raw, of_rows
from cascurve.formats.reading import comma_links, read_files
from cascurve.formats.text import NOT_GZIP, opened
from cascurve.formats.times import Clock, in_seconds

DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";"}


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    cascade: str = "cascade",
    user: str = "user",
    time: str | None = "time",
    delimiter: Literal["auto", "comma", "tab", "semicolon"] = "auto",
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "as_given",
    utc_offset: float = 0.0,
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read tables and, if given, a link file (`u v` or `u,v` a line).

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file; one that ends in ``.parquet`` is read as Parquet.
    graph : the link file.
    cascade, user, time : names of the columns; without a column for the time, the order of the rows counts.
    delimiter : "auto": the one by which the header has the named columns.
    unit : of times that are numbers. Dates (``2012-01-31 12:00:00``, ``2012-01-31``) become seconds since 1970.
    utc_offset : hours that the clock of dates is ahead of UTC.
    links : what a link ``u v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade, and about rows of a cascade not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    columns = (cascade, user, time)

    clock = Clock(unit, utc_offset)

    def read_file(part: str, path: str | Path, users: Labels) -> Raw:
        if Path(path).suffix == ".parquet":
            return _read_parquet(part, path, columns, users, clock)
        mark = _delimiter(path, columns) if delimiter == "auto" else DELIMITERS[delimiter]
        return read_table(part, path, columns, users, clock, delimiter=mark)

    return read_files(
        files,
        read_file,
        graph,
        comma_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    for name, mark in DELIMITERS.items():
        if {"cascade", "user"} <= set(split_line(lines[0], mark)):
            return f"a header with the columns cascade and user, separated by {name}"
    return None


def _delimiter(path: str | Path, columns: tuple[str, str, str | None]) -> str:
    try:
        with opened(path) as data, io.TextIOWrapper(data, encoding="utf-8-sig", errors="replace") as file:
            line = next((line for line in file if line.strip()), "")
    except (OSError, *NOT_GZIP):
        return ","  # the reader says what is wrong with the file
    wanted = {name for name in columns if name}
    counts = {mark: len(wanted & set(split_line(line, mark))) for mark in DELIMITERS.values()}
    return max(counts, key=lambda mark: counts[mark])


def _read_parquet(
    part: str, path: str | Path, columns: tuple[str, str, str | None], users: Labels, clock: Clock
) -> Raw:
    cascade, user, time = columns
    try:
        table = pq.read_table(path, partitioning=None)
    except FileNotFoundError:
        raise DataError("file not found", file=path, remedy="check the path") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"not a readable Parquet file ({error})", file=path) from None
    for name in filter(None, columns):
        if name not in table.column_names:
            message = f"expected a column '{name}', found the columns: {', '.join(table.column_names)}"
            raise DataError(message, file=path, remedy="name the columns in the options")
        if table.column(name).null_count:
            row = int(np.argmax(table.column(name).is_null().to_numpy())) + 1
            raise DataError(f"expected a value in column '{name}', found none", file=path, line=row)
    if not len(table):
        raise DataError("the table has no rows", file=path)
    cascades = Labels().codes_of(_texts(table.column(cascade)))
    entries = users.codes_of(_texts(table.column(user)))
    times = None
    if time is not None:
        column = table.column(time).combine_chunks()
        try:
            times = _moments(column, clock)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            message = f"expected numbers, dates or texts in column '{time}', found the type {column.type}"
            raise DataError(message, file=path, remedy="name another column, or convert this one") from None
        if not np.isfinite(times).all():
            row = int(np.argmin(np.isfinite(times)))
            raise DataError(f"expected a time, found {column[row].as_py()!r}", file=path, line=row + 1)
    return of_rows(part, path, cascades, entries, times, np.arange(1, len(table) + 1, dtype=np.int32))


def _moments(column: pa.Array, clock: Clock) -> NDArray[np.float64]:
    """Times of a Parquet column, in the clock's seconds."""
    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        clock.dates += len(column)
        zoned = pa.types.is_timestamp(column.type) and column.type.tz is not None
        seconds: NDArray[np.float64] = pc.cast(pc.cast(column, pa.timestamp("us")), pa.int64()).to_numpy() / 1e6
        return seconds - (0.0 if zoned else 3600.0 * clock.utc_offset)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return clock.read(pc.cast(column, pa.string()))
    return in_seconds(pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False), clock.unit)


def _texts(column: pa.ChunkedArray) -> pa.Array:
    return pc.cast(column, pa.large_string()).combine_chunks()
