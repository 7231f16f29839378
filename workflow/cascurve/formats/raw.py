"""`Raw`: one file's cascades as a reader found them, before their order is checked."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.formats.column import Column

Piece = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]
"""Some whole cascades: users, times, participations per cascade, line of each cascade."""


@dataclass(frozen=True)
class Raw:
    """One file's cascades as they stand there.

    Attributes
    ----------
    part, file : the part's name and its file.
    users : int32, shape (total,). Numbered by the import's `Labels`.
    times : float64, shape (total,), or None. NaN: not known; such a participation is left out.
    lengths : int64, shape (m,). Participations per cascade.
    lines : int64, shape (m,). Line of each cascade.
    entry_lines : int32, shape (total,), where each participation has its own line; else None.
    note : what to say in the account.
    """

    part: str
    file: Path
    users: NDArray[np.int32]
    times: NDArray[np.float64] | None
    lengths: NDArray[np.int64]
    lines: NDArray[np.int64]
    entry_lines: NDArray[np.int32] | None = None
    note: str = ""


def of_pieces(part: str, file: str | Path, pieces: Iterable[Piece], note: str = "") -> Raw:
    """From cascades that stand one after another in the file."""
    users, times, lengths, lines = Column(np.int32), Column(np.float64), Column(np.int64), Column(np.int64)
    for some_users, some_times, some_lengths, some_lines in pieces:
        users.add(some_users)
        times.add(some_times)
        lengths.add(some_lengths)
        lines.add(some_lines)
    return Raw(part, Path(file), users.whole(), times.whole(), lengths.whole(), lines.whole(), note=note)


def of_rows(
    part: str,
    file: str | Path,
    cascades: NDArray[np.int32],
    users: NDArray[np.int32],
    times: NDArray[np.float64] | None,
    lines: NDArray[np.int32],
    note: str = "",
) -> Raw:
    """From rows (cascade, user, time), all of shape (total,), in any order; a cascade's rows keep theirs.

    `cascades` are numbers from 0 in the order of their first rows.
    """
    order, lengths = _grouped(cascades)
    del cascades
    if len(order):  # column by column, each in the place of the one before
        users = users[order]
        times = None if times is None else times[order]
        lines = lines[order]
    return Raw(
        part, Path(file), users, times, lengths, lines[np.cumsum(lengths) - lengths].astype(np.int64), lines, note
    )


def joined(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    """The arrays end to end; the list is emptied, so that no piece stays in memory."""
    whole = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
    arrays.clear()
    return whole


@njit(cache=True)
def _grouped(groups: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(rows by group, each group's in their order, or nothing where they stand so already; rows per group)."""
    lengths = np.zeros(groups.max() + 1 if len(groups) else 0, np.int64)
    apart = False
    for row in range(len(groups)):
        lengths[groups[row]] += 1
        apart |= row > 0 and groups[row] < groups[row - 1]
    order = np.empty(len(groups) if apart else 0, np.int32)
    place = np.cumsum(lengths) - lengths
    for row in range(len(order)):
        order[place[groups[row]]] = row
        place[groups[row]] += 1
    return order, lengths
