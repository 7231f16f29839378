"""Digg 2009 (Hogg & Lerman 2012, EPJ Data Science 1:5): ``digg_votes1.csv`` and ``digg_friends.csv``.

Neither has a header, and every field is quoted. Votes: ``"vote_date","voter_id","story_id"`` with bare carriage
returns at the line ends. Friends: ``"mutual","friend_date","user_id","friend_id"``; the user is a fan of the friend,
so what the friend votes for reaches the user.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from cascurve.formats.edges import Links
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.long_table import read_table
from cascurve.formats.reading import read_files
from cascurve.formats.text import tokens
from cascurve.formats.times import Clock

COLUMNS = ("vote_date", "voter_id", "story_id")
STORY_FIRST = ("story_id", "voter_id", "vote_date")


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    links: Literal["undirected", "forward", "backward"] = "forward",
    repeated: Literal["error", "first"] = "error",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read votes and, if given, the friendships.

    Parameters
    ----------
    files : part (usually "all") -> file of votes.
    graph : the file of friendships; a mutual one is a link each way.
    links : "forward": from the friend to the fan; "backward": from the fan to the friend; or both ways.
    repeated, unsorted : what to do about a second vote for a story, and about votes not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    clock = Clock("seconds")
    return read_files(
        files,
        lambda part, path, users: read_table(part, path, STORY_FIRST, users, clock, header=COLUMNS),
        graph,
        _friends,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    rows = [line.split(",") for line in lines]
    fits = all(len(row) == 3 and all(f[:1] == f[-1:] == '"' and f[1:-1].isdecimal() for f in row) for row in rows)
    return "three quoted numbers a line, without a header" if fits else None


def _friends(path: str | Path, users: Labels) -> Links:
    tails, heads = [], []
    rows = mutual = 0
    for block in tokens(path, separators=",", table=True):
        wrong = np.repeat(block.counts != 4, block.counts)
        block.first_fault(
            wrong, "expected four fields (mutual, date, user, friend) in the line that begins with {found}"
        )
        flags = block.numbers(block.places == 0, "0 or 1 for mutual")
        fan, friend = (block.users(block.places == place, users) for place in (2, 3))
        both = flags == 1
        tails += [friend, fan[both]]
        heads += [fan, friend[both]]
        rows += len(flags)
        mutual += int(np.count_nonzero(both))
    note = f"{Path(path).name}: {rows} lines, of which {mutual} are mutual and count as two links"
    return Links(np.concatenate(tails), np.concatenate(heads), note)
