"""A plain long table, one participation a row: CSV, TSV or Parquet with columns for cascade, user and time."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.long_parquet import is_parquet, read_parquet
from cascurve.formats.long_table import read_table, split_line
from cascurve.formats.raw import Raw
from cascurve.formats.reading import comma_links, read_files
from cascurve.formats.text import NOT_GZIP, opened
from cascurve.formats.times import Clock

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
    files : part ("train", "valid", "test", or "all") -> file; one that begins as Parquet does is read as such.
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
        if is_parquet(path):
            return read_parquet(part, path, columns, users, clock)
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
