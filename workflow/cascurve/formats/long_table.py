"""Tables with one participation a row, in any order: what the formats of that shape share."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.column import Column
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw, of_rows
from cascurve.formats.text import Tokens, tokens
from cascurve.formats.times import Clock


def read_table(
    part: str,
    path: str | Path,
    columns: tuple[str, str, str | None],
    users: Labels,
    clock: Clock,
    *,
    delimiter: str = ",",
    header: Sequence[str] | None = None,
    encoding: str = "utf-8",
) -> Raw:
    """One delimited text file.

    Parameters
    ----------
    columns : names of the columns with the cascade, the user and the time (None: no times, file order counts).
    clock : of the times.
    header : names of all columns, where the file has no header line.
    """
    cascade, user, time = columns
    cascades, entries, moments, lines = Column(np.int32), Column(np.int32), Column(np.float64), Column(np.int32)
    names = Labels()
    for block, column in _columns(path, [name for name in columns if name], delimiter, header, encoding):
        cascades.add(block.users(column[cascade], names))
        entries.add(block.users(column[user], users))
        lines.add(block.lines[len(block.lines) - len(column[user]) :])
        if time is not None:
            moments.add(block.moments(column[time], clock))
    if not len(lines):
        raise DataError("the table has a header and no rows", file=path)
    moment = moments.whole() if time is not None else None
    return of_rows(part, path, cascades.whole(), entries.whole(), moment, lines.whole())


def split_line(line: str, delimiter: str) -> list[str]:
    """The fields of a header line."""
    return [field.strip().strip('"') for field in line.strip().split(delimiter)]


def _columns(
    path: str | Path, wanted: list[str], delimiter: str, header: Sequence[str] | None, encoding: str
) -> Iterator[tuple[Tokens, dict[str, NDArray[np.int64]]]]:
    """Blocks of rows, and the tokens of each wanted column."""
    read = partial(tokens, path, separators=delimiter, table=True, encoding=encoding)
    names = _names(next(block for block in read() if len(block.lines)), wanted) if header is None else list(header)
    places = sorted({names.index(name) for name in wanted})
    first = 1 if header is None else 0  # the row with the first token
    for block in read(columns=places):
        wrong = block.fields != len(names)
        if wrong.any():
            row = int(np.argmax(wrong))
            message = f"expected {len(names)} fields, found {block.fields[row]}"
            line = int(block.lines[row])
            raise DataError(message, file=path, line=line, remedy="correct the line or delete it")
        yield block, {name: block.rows[first:-1] + places.index(names.index(name)) for name in wanted}
        first = 0 if len(block.lines) else first


def _names(block: Tokens, wanted: list[str]) -> list[str]:
    """The names of all columns, from a file's first block."""
    names = [block.text(token) for token in range(int(block.rows[1]))]
    missing = [name for name in wanted if name not in names]
    if missing:
        message = f"expected a column '{missing[0]}', found the columns: {', '.join(names)}"
        raise block.fault(0, message, "name the columns in the options")
    twice = [name for name in wanted if names.count(name) > 1]
    if twice:
        raise block.fault(0, f"expected one column '{twice[0]}', found {names.count(twice[0])}", "rename them")
    return names
