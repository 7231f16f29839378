"""EchoFlow CSV: a table with the columns ``user_id,topic_id,timestamp``, one participation a row."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cascurve.formats.imported import Imported
from cascurve.formats.long_table import read_table, split_line
from cascurve.formats.reading import comma_links, read_files
from cascurve.formats.times import Clock

COLUMNS = ("topic_id", "user_id", "timestamp")


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "seconds",
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read tables and, if given, a link file (`u v` or `u,v` a line).

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    unit : of the time stamps.
    links : what a link ``u v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade, and about rows not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    clock = Clock(unit)
    return read_files(
        files,
        lambda part, path, users: read_table(part, path, COLUMNS, users, clock),
        graph,
        comma_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    return "a header with user_id, topic_id and timestamp" if set(COLUMNS) <= set(split_line(lines[0], ",")) else None
