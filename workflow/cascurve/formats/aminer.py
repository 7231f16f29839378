"""AMiner Weibo (Zhang et al. 2013, IJCAI): records of two lines, ``message date user n`` and ``u t u t …``.

Times of the first line are dates such as ``2012-09-28-12:34:56``, China's clock; those of the second line are all dates
or seconds, all of a line alike. The links that come with it are ``u v flag`` a line; a flag other than 1 is no link.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.column import Column
from cascurve.formats.edges import Links
from cascurve.formats.imported import Imported
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw
from cascurve.formats.reading import read_files
from cascurve.formats.text import Tokens, tokens
from cascurve.formats.times import Clock, is_number, numbers


def read(
    files: Mapping[str, str | Path],
    *,
    graph: str | Path | None = None,
    utc_offset: float = 8.0,
    links: Literal["undirected", "forward", "backward"] = "backward",
    repeated: Literal["error", "first"] = "first",
    unsorted: Literal["error", "sort"] = "sort",
) -> Imported:
    """Read cascade files and, if given, a link file.

    Parameters
    ----------
    files : part (usually "all") -> file.
    graph : the link file.
    utc_offset : hours that the clock of the dates is ahead of UTC.
    links : what ``u v`` means: from v to u, whom u follows ("backward"), from u to v, or both ways.
    repeated, unsorted : what to do about a user twice in a cascade (by default the first time counts, and the others
        stand in the account), and about reposts not in order of time.

    Raises
    ------
    DataError : with file and line.
    """
    clock = Clock("seconds", utc_offset)
    return read_files(
        files,
        lambda part, path, users: _read_file(part, path, clock, users),
        graph,
        _flagged,
        direction=links,
        repeated=repeated,
        unsorted=unsorted,
        clock=clock,
    )


def sniff(lines: list[str]) -> str | None:
    """Why a file that begins with these lines has this format, or None."""
    rows = [line.split() for line in lines]
    head = [len(row) == 4 and not is_number(row[1]) and row[3].isdecimal() for row in rows]
    fits = head[0] and not all(head) and all(len(row) % 2 == 0 for row in rows)
    return "records of two lines, `message date user n` and pairs `user time`" if fits else None


def _read_file(part: str, path: str | Path, clock: Clock, labels: Labels) -> Raw:
    users, times, heads, lines, said = map(Column, (np.int32, np.float64, np.bool_, np.int32, np.float64))
    for block in tokens(path, blanks=" \t"):
        head = _is_head(block)
        odd = ~head & (block.counts % 2 == 1)
        message = "expected `message date user n`, or pairs `user time`; it fails in the line that begins with {found}"
        block.first_fault(np.repeat(odd, block.counts), message)
        in_head, places = np.repeat(head, block.counts), block.places
        is_user = np.where(in_head, places == 2, places % 2 == 0)
        is_time = np.where(in_head, places == 1, places % 2 == 1)
        moments = block.moments(is_time, clock)
        users.add(block.users(is_user, labels))
        # the head names the time before the user, so times are in the users' order in both kinds of line
        times.add(moments)
        heads.add(np.repeat(head, np.where(head, 1, block.counts // 2)))
        lines.add(np.repeat(block.lines, np.where(head, 1, block.counts // 2)))
        said.add(block.numbers(in_head & (places == 3), "the number of reposts"))
    begins, line = heads.whole(), lines.whole()
    if not begins[0]:
        raise DataError("expected `message date user n` in the first line", file=path, line=int(line[0]))
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, len(begins)))
    stray = ~begins & (line != np.repeat(line[starts] + 1, lengths))
    if stray.any():
        message = "expected `message date user n`, found a second line of reposts"
        raise DataError(message, file=path, line=int(line[np.argmax(stray)]), remedy="correct the line or delete it")
    wrong = int(np.count_nonzero(said.whole() != lengths - 1))
    note = f"{wrong} say another number of reposts than they have" if wrong else ""
    return Raw(part, Path(path), users.whole(), times.whole(), lengths, line[starts].astype(np.int64), line, note)


def _is_head(block: Tokens) -> NDArray[np.bool_]:
    """Which rows are `message date user n`: four fields, of which only the last and the user can be numbers."""
    head = block.counts == 4
    first = block.rows[:-1][head]
    if len(first):
        dated = np.isnan(numbers(block.strings(first + 1)))
        counted = ~np.isnan(numbers(block.strings(first + 3)))
        head[head] = dated & counted
    return head


def _flagged(path: str | Path, users: Labels) -> Links:
    tails, heads = Column(np.int32), Column(np.int32)
    rows = 0
    for block in tokens(path, blanks=" \t"):
        wrong = np.repeat(block.counts != 3, block.counts)
        block.first_fault(wrong, "expected three fields `u v flag` in the line that begins with {found}")
        linked = np.repeat(block.numbers(block.places == 2, "a flag") == 1, 3)
        tails.add(block.users(linked & (block.places == 0), users))
        heads.add(block.users(linked & (block.places == 1), users))
        rows += len(block.lines)
    tail = tails.whole()
    note = f"{Path(path).name}: {rows} lines, of which {rows - len(tail)} have a flag other than 1 and are no links"
    return Links(tail, heads.whole(), note)
