"""SNIDSA and CYAN-RNN text: one cascade a line, ``u1,u2,…:t1,t2,…``; one link ``u,v`` a line.

The synthetic sets made with the NetInf generator that come with SNIDSA (Wang et al. 2018, CIKM) have this form.
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
    halves = [line.split(":") for line in lines]
    fits = all(len(half) == 2 and half[0].count(",") == half[1].count(",") for half in halves)
    return "as many users as times, with one colon between" if fits and "," in lines[0] else None


def _cascades(path: str | Path, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" \t", separators=",:"):
        colon = block.stops == ord(":")
        lengths = block.counts // 2
        last_user = np.repeat(block.rows[:-1] + lengths - 1, block.counts)
        is_last_user = np.arange(len(colon)) == last_user
        open_end = block.stops[block.rows[1:] - 1] == ord(",")
        odd = np.repeat((block.counts % 2 == 1) | open_end, block.counts)
        message = "expected as many users as times with one colon between, `u1,u2:t1,t2`; it fails at or after {found}"
        blank = (block.stops == ord(" ")) | (block.stops == ord("\t"))
        block.first_fault(odd | blank | (colon != is_last_user), message)
        is_user = np.arange(len(colon)) <= last_user
        yield block.users(is_user, labels), block.numbers(~is_user), lengths, block.lines
