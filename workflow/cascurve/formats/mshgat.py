"""MS-HGAT text: one cascade a line, ``u t,u t,…`` or ``root u t,u t,…``; one link ``u,v`` a line.

The sets that come with MS-HGAT (Sun et al. 2022, AAAI) have this form. In the second variant the root comes without
a time. A comma may end the line, numbers may have an exponent, and files are known that were cut in their last item.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Piece, of_pieces
from cascurve.formats.reading import comma_links, read_files
from cascurve.formats.sources import SourceTime, with_sources
from cascurve.formats.text import tokens


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    source_time: Literal["just_before", "with_first"] = "just_before",
    truncated: Literal["drop", "error"] = "drop",
    unit: Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"] = "seconds",
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "error",
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    source_time : the time given to a root without one; see `sources.with_sources`.
    truncated : what to do about a lone user at the very end of the file: leave it out, or an error.
    unit : of the times in the file.
    links : what a link ``u,v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade, and about a time that decreases.

    Raises
    ------
    DataError : with file and line.
    """
    return read_files(
        files,
        lambda part, path, users: of_pieces(part, path, _cascades(path, source_time, truncated, users)),
        graph,
        comma_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        unit=unit,
        untimed="users without a time (cut off at the end of the file, or a root alone) left out",
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    items = [item.split() for line in lines for item in line.rstrip(", ").split(",")]
    whole = items[:-1] if len(items) > 1 else items  # the last one may be cut
    fits = all(1 < len(item) <= 3 for item in whole) and any("," in line for line in lines)
    fits = fits and "\t" not in lines[0]  # a lone line of hashtags would fit too, cut in its last item
    return "items `user time` separated by commas" if fits else None


def _cascades(path: str | Path, source_time: SourceTime, truncated: str, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" \t", separators=","):
        first = np.zeros(len(block.starts), np.bool_)
        first[block.rows[:-1]] = True
        opens = first.copy()
        opens[1:] |= block.stops[:-1] == ord(",")
        item = np.cumsum(opens) - 1
        begins = np.flatnonzero(opens)
        sizes = np.diff(np.append(begins, len(opens)))
        root = first & (sizes[item] == 3)
        wrong = (sizes != 2) & ~root[begins]
        if len(wrong) and block.last and truncated == "drop" and sizes[-1] == 1:
            wrong[-1] = False
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise block.fault(int(begins[bad]), f"expected an item of a user and a time, found {sizes[bad]} fields")
        closes = np.append(opens[1:], True)[: len(opens)]
        is_time = closes & (sizes[item] > 1)
        is_user = ~is_time
        times = np.full(np.count_nonzero(is_user), np.nan)
        timed = np.append(is_time[1:], False)[: len(opens)]
        times[timed[is_user]] = block.numbers(is_time)
        lengths = np.add.reduceat(is_user, block.rows[:-1], dtype=np.int64) if len(opens) else block.counts
        times = with_sources(times, np.cumsum(lengths) - lengths, source_time)
        yield block.users(is_user, labels), times, lengths, block.lines
