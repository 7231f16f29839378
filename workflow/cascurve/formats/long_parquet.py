"""Parquet tables with one participation a row, in any order, of whatever program."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw, of_rows
from cascurve.formats.times import Clock, in_seconds

MAGIC = b"PAR1"
FAULTS = (pa.ArrowException, UnicodeDecodeError)
"""What Arrow raises for a damaged file, and for a type or a value that cannot be converted."""


def is_parquet(path: str | Path) -> bool:
    """Whether a file begins as Parquet files do, whatever its name; one that cannot be read does not."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def column_names(path: str | Path) -> tuple[list[str], bool]:
    """(names of the columns, whether the file is of this project)."""
    schema = _opened(path).schema_arrow
    return schema.names, b"cascurve" in (schema.metadata or {})


def read_parquet(part: str, path: str | Path, columns: tuple[str, str, str | None], users: Labels, clock: Clock) -> Raw:
    """One file.

    Parameters
    ----------
    columns : names of the columns with the cascade, the user and the time (None: no times, file order counts).
    clock : of the times.

    Raises
    ------
    DataError : not a whole Parquet file; a column that is missing, or has a value that is none of its kind. The line
        is the number of the row, from 1.
    """
    names = _opened(path).schema_arrow.names
    wanted = [name for name in columns if name]
    for name in wanted:
        if names.count(name) != 1:
            message = f"expected one column '{name}', found the columns: {', '.join(names)}"
            raise DataError(message, file=path, remedy="name the columns in the options")
    try:
        table = _opened(path).read(columns=list(dict.fromkeys(wanted)))
    except (*FAULTS, OSError) as error:
        raise DataError(f"not a whole Parquet file ({error})", file=path) from None
    if not len(table):
        raise DataError("the table has no rows", file=path)
    cascade, user, time = columns
    cascades = Labels().codes_of(_texts(table, cascade, path))
    entries = users.codes_of(_texts(table, user, path))
    times = None if time is None else _times(table, time, path, clock)
    return of_rows(part, path, cascades, entries, times, np.arange(1, len(table) + 1, dtype=np.int32))


def _opened(path: str | Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)  # of pages that have one
    except FileNotFoundError:
        raise DataError("file not found", file=path, remedy="check the path") from None
    except (*FAULTS, OSError) as error:
        raise DataError(f"not a whole Parquet file ({error})", file=path) from None


def _column(table: pa.Table, name: str, path: str | Path) -> pa.Array:
    """A column without missing values, categories as what they stand for."""
    column = table.column(name).combine_chunks()
    missing = pc.is_null(column, nan_is_null=pa.types.is_floating(column.type))
    if pc.any(missing).as_py():
        row = int(np.argmax(missing.to_numpy(zero_copy_only=False))) + 1
        raise DataError(f"expected a value in column '{name}', found none", file=path, line=row)
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _texts(table: pa.Table, name: str, path: str | Path) -> pa.Array:
    column = _column(table, name, path)
    try:
        texts = pc.cast(column, pa.large_string())
    except FAULTS:
        message = f"expected numbers or texts in column '{name}', found the type {column.type}"
        raise DataError(message, file=path, remedy="name another column, or convert this one") from None
    empty = pc.equal(texts, "")
    if pc.any(empty).as_py():
        row = int(np.argmax(empty.to_numpy(zero_copy_only=False))) + 1
        raise DataError(f"expected a value in column '{name}', found an empty text", file=path, line=row)
    return texts


def _times(table: pa.Table, name: str, path: str | Path, clock: Clock) -> NDArray[np.float64]:
    column = _column(table, name, path)
    try:
        times = _moments(column, clock)
    except FAULTS:
        message = f"expected numbers, dates or texts in column '{name}', found the type {column.type}"
        raise DataError(message, file=path, remedy="name another column, or convert this one") from None
    if not np.isfinite(times).all():
        row = int(np.argmin(np.isfinite(times)))
        raise DataError(f"expected a time, found {column[row].as_py()!r}", file=path, line=row + 1)
    return times


def _moments(column: pa.Array, clock: Clock) -> NDArray[np.float64]:
    """Times in the clock's seconds."""
    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        clock.dates += len(column)
        zoned = pa.types.is_timestamp(column.type) and column.type.tz is not None
        # 64-bit seconds since 1970 are known to less than a microsecond; what is below that, as in pandas' times, goes
        stamps = pc.cast(column, pa.timestamp("us"), safe=False)
        seconds: NDArray[np.float64] = pc.cast(stamps, pa.int64()).to_numpy() / 1e6
        return seconds - (0.0 if zoned else 3600.0 * clock.utc_offset)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return clock.read(pc.cast(column, pa.string()))
    return in_seconds(pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False), clock.unit)
