"""Twitter 2010 (Lerman, Ghosh & Surachawala 2012): tweets with URLs, and the follower graph as an SQL dump.

Tweets: the table ``link_status_search_with_ordering_real_csv`` with a header; a cascade is a link, and
``create_at_long`` is in milliseconds. Followers: ``active_follower_real_sql``, MySQL lines
``INSERT INTO … VALUES (user_id,follower_id),…;`` in Latin-1; what the user posts reaches the follower.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np

from cascurve.errors import DataError
from cascurve.formats.edges import Links
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.long_table import read_table, split_line
from cascurve.formats.reading import read_files
from cascurve.formats.text import tokens
from cascurve.formats.times import Clock, is_number

COLUMNS = ("link", "user_id", "create_at_long")


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    links: Literal["undirected", "forward", "backward"] = "forward",
    repeated: Literal["error", "first"] = "first",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read tweets and, if given, the followers.

    Parameters
    ----------
    files : part (usually "all") -> file of tweets.
    graph : the SQL dump of followers.
    links : "forward": from the user to the follower; "backward": from the follower to the user; or both ways.
    repeated, unsorted : what to do about a user who tweets a link twice (by default the first tweet counts, and the
        others stand in the account), and about tweets not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    clock = Clock("milliseconds")
    return read_files(
        files,
        lambda part, path, users: read_table(part, path, COLUMNS, users, clock, encoding="latin-1"),
        graph,
        _followers,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    return "a header with link, user_id and create_at_long" if set(COLUMNS) <= set(split_line(lines[0], ",")) else None


def _followers(path: str | Path, users: Labels) -> Links:
    """The pairs of all INSERT lines and of those that go on with numbers; others are passed over and counted."""
    tails, heads = [], []
    other = 0
    for block in tokens(path, blanks=" (),;", encoding="latin-1"):
        keep = np.zeros(len(block.starts), np.bool_)
        for row, (first, end) in enumerate(zip(block.rows[:-1], block.rows[1:], strict=True)):
            head = [block.text(token).upper() for token in range(first, min(first + 12, end))]
            begins = head[0] == "INSERT" and "VALUES" in head
            if not begins and not is_number(head[0]):
                other += 1
                continue
            begin = first + head.index("VALUES") + 1 if begins else first
            if (end - begin) % 2:
                message = f"expected pairs (user,follower), found {end - begin} numbers in line {block.lines[row]}"
                raise block.fault(int(first), message)
            keep[begin:end] = True
        block.numbers(keep, "the number of a user")
        pairs = block.users(keep, users).reshape(-1, 2)
        tails.append(pairs[:, 0])
        heads.append(pairs[:, 1])
    if not sum(map(len, tails)):
        raise DataError("expected lines 'INSERT INTO … VALUES (user,follower),…', found none", file=path)
    note = f"{Path(path).name}: {sum(map(len, tails))} pairs, {other} lines of the dump that hold none"
    return Links(np.concatenate(tails), np.concatenate(heads), note)
