"""Hashtag sequences of Weng et al. (2013, Scientific Reports 3, 2522): ``hashtag time,user time,user …`` a line.

The file is ``timeline_tag.anony.dat``; fields are separated by tabs or blanks. The networks that come with it
(``follower_gcc.anony.dat``) have one reciprocal link ``u v`` a line.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from cascurve.formats import edges
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Piece, of_pieces
from cascurve.formats.reading import read_files
from cascurve.formats.text import tokens
from cascurve.formats.times import is_number


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "seconds",
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "first",
    unsorted: Literal["error", "sort"] = "error",
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    unit : of the times in the file.
    links : what a link ``u v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade (by default the first use counts, and the others
        stand in the account), and about a time that decreases.

    Raises
    ------
    DataError : with file and line.
    """
    return read_files(
        files,
        lambda part, path, users: of_pieces(part, path, _cascades(path, users)),
        graph,
        edges.read_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        unit=unit,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    rows = [line.split() for line in lines]
    items = [item.split(",") for row in rows for item in row[1:]]
    fits = all(len(row) > 1 for row in rows) and all(
        len(item) == 2 and is_number(item[0]) and item[1] for item in items
    )
    named = not any("," in row[0] or ":" in row[0] for row in rows if row)
    return "a name, then items `time,user`" if fits and named else None


def _cascades(path: str | Path, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" \t", separators=","):
        places = block.places
        is_time = places % 2 == 1
        odd = np.repeat((block.counts % 2 == 0) | (block.counts == 1), block.counts)
        message = "expected a hashtag and items `time,user`; it fails at or after {found}"
        block.first_fault(((block.stops == ord(",")) != is_time) | odd, message)
        is_user = ~is_time & (places > 0)
        yield block.users(is_user, labels), block.numbers(is_time), block.counts // 2, block.lines
