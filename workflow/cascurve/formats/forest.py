"""FOREST and NDM text: one cascade a line, ``u,t u,t …``; one link ``u,v`` a line.

The sets that come with FOREST (Yang et al. 2019, IJCAI) have this form. Their Twitter times are milliseconds, their
Memetracker times hours since 1970; the files do not say so, hence the option `unit`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Piece, of_pieces
from cascurve.formats.reading import comma_links, read_files
from cascurve.formats.text import tokens


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "as_given",
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "error",
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    unit : of the times in the file.
    links : what a link ``u,v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade, and about a time that decreases.

    Raises
    ------
    DataError : with file and line.
    """
    return read_files(
        files,
        lambda part, path, users: of_pieces(part, path, _cascades(path, users)),
        graph,
        comma_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        unit=unit,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    fits = all(item.count(",") == 1 and ":" not in item for line in lines for item in line.split())
    many = any(len(line.split()) > 1 for line in lines)
    return "items `user,time` separated by blanks" if fits and many else None


def _cascades(path: str | Path, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" \t", separators=","):
        is_user = block.places % 2 == 0
        odd = np.repeat(block.counts % 2 == 1, block.counts)
        block.first_fault(
            ((block.stops == ord(",")) != is_user) | odd, "expected items `user,time`; it fails at or after {found}"
        )
        lengths = block.counts // 2
        yield block.users(is_user, labels), block.numbers(~is_user), lengths, block.lines
