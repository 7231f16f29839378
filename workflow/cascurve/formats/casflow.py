"""DeepHawkes and CasFlow text: ``id⇥root⇥published⇥n⇥path:dt path:dt …``, one cascade a line.

The Weibo set of DeepHawkes (Cao et al. 2017, CIKM) and the Twitter and APS sets of CasFlow have this form. A path
``a/b/c`` says that c has it from b, who has it from a; c is the participant, and dt the time since publication. The
root is -1 where it is not known (hashtags). Participants stand in any order.
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
from cascurve.formats.times import Clock, in_seconds


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    unit: Literal["milliseconds", "seconds", "minutes", "hours", "days"] = "seconds",
    utc_offset: float = 0.0,
    links: Literal["undirected", "forward", "backward"] = "undirected",
    repeated: Literal["error", "first"] = "first",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read cascade files and, if given, a link file (``u v`` a line).

    Parameters
    ----------
    files : part ("train", "valid", "test", or "all") -> file.
    graph : the link file.
    unit : of dt (the APS set has days), and of the time of publication where that is a number. It may be a date.
    utc_offset : hours that the clock of dates is ahead of UTC.
    links : what a link ``u v`` means: both ways, from u to v, or from v to u.
    repeated, unsorted : what to do about a user twice in a cascade (by default the earliest time counts, and the
        others stand in the account), and about participants not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    clock = Clock(unit, utc_offset)
    return read_files(
        files,
        lambda part, path, users: of_pieces(part, path, _cascades(path, clock, users)),
        graph,
        edges.read_links,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    rows = [line.split("\t") for line in lines]
    fits = all(len(row) == 5 and row[3].isdecimal() and ":" in row[4] for row in rows)
    return "five fields separated by tabs, the last of items `path:time`" if fits else None


def _cascades(path: str | Path, clock: Clock, labels: Labels) -> Iterator[Piece]:
    for block in tokens(path, blanks=" ", separators="\t/:"):
        places = block.places
        in_head = places < 4
        tab = block.stops == ord("\t")
        short = np.repeat(block.counts < 6, block.counts)
        message = "expected `id⇥root⇥published⇥n⇥path:time …`; it fails at {found}"
        block.first_fault(short | (tab & ~in_head) | (~tab & in_head), message)
        is_user = ~in_head & (block.stops == ord(":"))
        after_user = np.append(False, is_user[:-1])
        in_path = ~in_head & (block.stops == ord("/"))
        block.first_fault(~in_head & ~is_user & ~in_path & ~after_user, message)
        block.first_fault(after_user & (is_user | in_path), message)
        ends = np.zeros(len(places), np.bool_)
        ends[block.rows[1:] - 1] = True
        block.first_fault(ends & ~after_user, message)
        lengths = np.add.reduceat(is_user, block.rows[:-1], dtype=np.int64) if len(places) else block.counts
        published = block.moments(places == 2, clock)
        times = in_seconds(block.numbers(after_user), clock.unit) + np.repeat(published, lengths)
        yield block.users(is_user, labels), times, lengths, block.lines
