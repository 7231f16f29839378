"""Topo-LSTM and Inf-VAE text: one cascade a line, ``source u1 t1 u2 t2 …``; one link ``u v`` a line.

The sets of Topo-LSTM (Wang et al. 2017, ICDM) and Inf-VAE (Sankar et al. 2020, WSDM) have this form. The source
comes without a time. Some link files open with a header ``nodes links``, some do not.
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
from cascurve.formats.sources import SourceTime, with_sources
from cascurve.formats.text import tokens
from cascurve.formats.times import is_number


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    source_time: Literal["just_before", "with_first"] = "just_before",
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "as_given",
    links: Literal["undirected", "forward", "backward"] = "undirected",
    header: Literal["auto", "yes", "no"] = "auto",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "error",
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    source_time : the time given to the source, which the format lacks; see `sources.with_sources`. A source without
        a recipient has no time and is left out.
    unit : of the times in the file.
    links : what a link ``u v`` means: both ways (as the authors' code has it), from u to v, or from v to u.
    header : whether the link file opens with a header; see `edges.read_links`.
    repeated, unsorted : what to do about a user twice in a cascade, and about a time that decreases.

    Raises
    ------
    DataError : with file and line: a line that is not a source and pairs, a time that is not a finite number, a
        user twice, a time that decreases; a file that is missing, empty or not UTF-8.
    """
    return read_files(
        files,
        lambda part, path, users: of_pieces(part, path, _cascades(path, source_time, users)),
        graph,
        lambda path, users: edges.read_links(path, users, header=header),
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        unit=unit,
        untimed="sources without a recipient, whose time is not known, left out",
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    rows = [line.split() for line in lines]
    fits = all(len(row) % 2 and all(map(is_number, row[2::2])) for row in rows) and any(len(row) > 1 for row in rows)
    plain = not any(mark in line for line in lines for mark in ",:")
    return "a source, then pairs `user time`, all separated by blanks" if fits and plain else None


def _cascades(path: str | Path, source_time: SourceTime, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" \t"):
        even = block.counts % 2 == 0
        if even.any():
            row = int(np.argmax(even))
            found = f"expected a source and pairs of user and time, found {block.counts[row]} fields"
            raise block.fault(int(block.rows[row]), found)
        is_time = (block.places % 2 == 0) & (block.places > 0)
        lengths = block.counts // 2 + 1
        times = np.full(len(is_time) - np.count_nonzero(is_time), np.nan)
        sources = np.cumsum(lengths) - lengths
        recipients = np.ones(len(times), np.bool_)
        recipients[sources] = False
        times[recipients] = block.numbers(is_time)
        yield block.users(~is_time, labels), with_sources(times, sources, source_time), lengths, block.lines
