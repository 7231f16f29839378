"""Data sets for classifiers from files: ARFF, KEEL (.dat) and CSV."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.selection.examples import Examples

MISSING = ("?", "", "<null>")
_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|[^\s{]+)\s*(.*)", re.IGNORECASE)


@dataclass
class _Table:
    """Names (empty without a header), which attributes the header calls nominal (None = find out), rows of text."""

    names: list[str]
    nominal: list[bool] | None
    rows: list[list[str]]
    lines: list[int]
    target: str | None = None


def read_examples(
    path: str | Path, *, positive: Sequence[str | int] | None = None, target: str | int | None = None
) -> Examples:
    """A binary problem; rows with a missing value are left out.

    Parameters
    ----------
    path : ``.arff``, ``.dat`` (KEEL, with or without its header) or ``.csv`` (with or without a header line).
    positive : classes that count as positive, as the file writes them; None = the rarest class.
    target : name of the class attribute, or its place from 0; None = KEEL's ``@outputs``, or else the last one.

    Raises
    ------
    DataError : naming the line, for a row of another length or a sparse ARFF; for an unknown class or target; where
        one of the two classes would be empty.
    """
    file = Path(path)
    table = _read(file)
    if not table.rows:
        raise DataError("expected at least one row of data, found none", file=file)
    width = len(table.names) or len(table.rows[0])
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != width:
            raise DataError(f"expected {width} values, found {len(row)}", file=file, line=line)
    rows = [row for row in table.rows if not any(value in MISSING for value in row)]
    if not rows:
        raise DataError("every row has a missing value", file=file)
    place = _place(table, width, target, file)
    columns = list(zip(*rows, strict=True))
    label = np.array(columns.pop(place))
    declared = table.nominal[:place] + table.nominal[place + 1 :] if table.nominal else [None] * (width - 1)
    parsed = [_column(column, is_nominal) for column, is_nominal in zip(columns, declared, strict=True)]
    if not parsed:
        raise DataError("expected attributes beside the class, found none", file=file)
    attributes = np.column_stack([values for values, _ in parsed])
    return Examples(attributes, np.array([flag for _, flag in parsed]), _positive(label, positive, file))


def _read(file: Path) -> _Table:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=file) from None
    table = _Table([], None, [], [])
    kinds: list[bool] = []
    in_header = "@data" in text.lower()
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content or content.startswith("%"):
            continue
        if in_header:
            in_header = _header(content, table, kinds)
            continue
        if content.startswith("{"):
            raise DataError("sparse ARFF rows are not read", file=file, line=number, remedy="write them in full")
        quote = "'" if "'" in content and '"' not in content else '"'
        table.rows.append([v.strip() for v in next(csv.reader([content], quotechar=quote, skipinitialspace=True))])
        table.lines.append(number)
    if table.names:
        table.nominal = kinds
    elif len(table.rows) > 1 and _is_header(table.rows):
        table.names = table.rows.pop(0)
        table.lines.pop(0)
    return table


def _header(content: str, table: _Table, kinds: list[bool]) -> bool:
    """Take in one line of a header; returns whether the header goes on."""
    word = content.split(maxsplit=1)[0].lower()
    found = _ATTRIBUTE.match(content)
    if found:
        table.names.append(found[1].strip("'\""))
        kinds.append(not re.match(r"(numeric|real|integer)\b", found[2].strip(), re.IGNORECASE))
    elif word in ("@outputs", "@output"):
        table.target = content.split(None, 1)[1].strip()
    return word != "@data"


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first row has a word where all other rows have a number."""
    return any(
        not _is_number(first) and all(_is_number(row[k]) for row in rows[1:] if len(row) > k and row[k] not in MISSING)
        for k, first in enumerate(rows[0])
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _place(table: _Table, width: int, target: str | int | None, file: Path) -> int:
    """Column of the class."""
    wanted = table.target if target is None else target
    if wanted is None:
        return width - 1
    if isinstance(wanted, int) and 0 <= wanted < width:
        return wanted
    if wanted in table.names:
        return table.names.index(str(wanted))
    known = ", ".join(table.names) or f"places 0 to {width - 1}"
    raise DataError(f"there is no attribute {wanted!r} for the class; there are: {known}", file=file)


def _column(texts: Sequence[str], nominal: bool | None) -> tuple[NDArray[np.float64], bool]:
    """Numbers, or codes of the values in their sorted order; and whether they are codes."""
    if not nominal:
        try:
            return np.array(texts, np.float64), False
        except ValueError:
            pass
    return np.unique(np.array(texts), return_inverse=True)[1].astype(np.float64), True


def _positive(label: NDArray[np.str_], chosen: Sequence[str | int] | None, file: Path) -> NDArray[np.bool_]:
    known, counts = np.unique(label, return_counts=True)
    wanted = [str(known[counts.argmin()])] if chosen is None else [str(value) for value in chosen]
    for value in wanted:
        if value not in known:
            raise DataError(f"there is no class {value!r}; there are: {', '.join(known)}", file=file)
    positive: NDArray[np.bool_] = np.isin(label, wanted)
    if positive.all() or len(known) < 2:
        raise DataError("all examples would be of one class", file=file, remedy="name the positive classes")
    return positive
