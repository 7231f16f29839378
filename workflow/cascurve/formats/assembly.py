"""From what a reader found in its files to `Imported`: users numbered, order checked or repaired, account kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.formats import edges
from cascurve.formats.account import Step, removal
from cascurve.formats.imported import Imported, present
from cascurve.formats.interning import Labels
from cascurve.formats.raw import Raw, joined
from cascurve.formats.times import Clock, Unit, in_seconds

Repeated = Literal["error", "first"]
"""A user twice in a cascade: an error, or only the first time counts."""
Unsorted = Literal["error", "sort"]
"""A time that decreases: an error, or the cascade is sorted by time (stable)."""


def assemble(
    raws: list[Raw],
    users: Labels,
    links: edges.Links | None = None,
    *,
    direction: edges.Direction = "undirected",
    repeated: Repeated = "error",
    unsorted: Unsorted = "error",
    unit: Unit = "as_given",
    clock: Clock | None = None,
    untimed: str = "participations without a time left out",
) -> Imported:
    """Number the users, check or repair each cascade's order, build the network.

    Parameters
    ----------
    raws : one per file, all with times or all without. The list is emptied, so that no column is held twice.
    users : the labels by which the files' users are numbered.
    unit : of the times in the files; they become seconds.
    clock : by which the times were read, where a reader has turned them into seconds itself; `unit` is not used then.
    untimed : name of the step that leaves out participations whose time is NaN.

    Raises
    ------
    DataError : a user twice in a cascade or a time that decreases, with file and line, unless repaired; no
        cascade left.
    """
    files = [raw.file for raw in raws]
    parts = tuple(raw.part for raw in raws)
    note = ", ".join(map(_said, raws))
    entries = _Entries.of(raws)
    raws.clear()
    active = len(present(entries.users, len(users)))
    account = [Step("read", len(entries.lengths), active, len(entries.users), note=note)]
    if entries.times is not None:
        times = entries.times if clock else in_seconds(entries.times, unit)
        entries = replace(entries, times=times).keep(~np.isnan(times), untimed, account)
    clock = clock or Clock(unit)
    entries = _in_time(entries, unsorted, clock, users, files, account)
    entries = _once(entries, repeated, users, files, account)
    if not len(entries.lengths):
        raise DataError("no cascade left", file=files[0], remedy="see that the file has the named format")
    used = np.zeros(len(users), np.bool_)
    for codes in (entries.users, links.tails, links.heads) if links else (entries.users,):
        used[codes] = True
    labels, places = users.ordered(used)
    graph = None
    if links is not None:
        graph, steps = edges.build(links, places, len(labels), direction)
        account += steps
    return Imported(
        CascadeSet(len(labels), entries.offsets, places[entries.users], entries.times),
        labels,
        graph,
        parts,
        entries.part,
        entries.lines,
        tuple(account),
        clock.in_seconds,
        clock.dates > 0,
    )


@dataclass(frozen=True)
class _Entries:
    """All participations; the fields are those of `Raw`, of all files together."""

    users: NDArray[np.int32]
    times: NDArray[np.float64] | None
    entry_lines: NDArray[np.int32] | None
    lengths: NDArray[np.int64]
    lines: NDArray[np.int64]
    part: NDArray[np.int16]

    @classmethod
    def of(cls, raws: Sequence[Raw]) -> "_Entries":
        times = [raw.times for raw in raws if raw.times is not None]
        entry_lines = [raw.entry_lines for raw in raws if raw.entry_lines is not None]
        return cls(
            joined([raw.users for raw in raws]),
            joined(times) if times else None,
            joined(entry_lines) if entry_lines else None,
            joined([raw.lengths for raw in raws]),
            joined([raw.lines for raw in raws]),
            np.repeat(np.arange(len(raws), dtype=np.int16), [len(raw.lengths) for raw in raws]),
        )

    @property
    def offsets(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.lengths)])

    def rearranged(self, entries: NDArray[np.bool_] | NDArray[np.int64]) -> "_Entries":
        """With other participations, by mask or by index; `lengths` stay."""
        times = None if self.times is None else self.times[entries]
        lines = None if self.entry_lines is None else self.entry_lines[entries]
        return replace(self, users=self.users[entries], times=times, entry_lines=lines)

    def keep(self, chosen: NDArray[np.bool_], step: str, account: list[Step]) -> "_Entries":
        """The chosen participations (mask); cascades that lose all are gone."""
        if chosen.all():
            return self
        lengths = _left(self.offsets, chosen)
        left = lengths > 0
        account.append(removal(step, self.users, chosen, int(np.count_nonzero(~left))))
        kept = self.rearranged(chosen)
        return replace(kept, lengths=lengths[left], lines=self.lines[left], part=self.part[left])

    def fault(self, entry: int, files: Sequence[Path], message: str, remedy: str) -> DataError:
        """The error for a participation, with its file and line."""
        cascade = int(np.searchsorted(self.offsets, entry, side="right")) - 1
        line = self.lines[cascade] if self.entry_lines is None else self.entry_lines[entry]
        return DataError(message, file=files[self.part[cascade]], line=int(line), remedy=remedy)


def _in_time(
    entries: _Entries, unsorted: Unsorted, clock: Clock, users: Labels, files: Sequence[Path], account: list[Step]
) -> _Entries:
    """With times that never decrease."""
    if entries.times is None:
        return entries
    offsets = entries.offsets
    late = _first_decrease(offsets, entries.times)
    if late >= 0 and unsorted == "error":
        times = entries.times
        message = (
            f"time decreases: user {users.text(entries.users[late])} at {times[late]:.17g} after {times[late - 1]:.17g}"
        )
        raise entries.fault(late, files, message, 'correct the line, or set the option "unsorted: sort"')
    if late >= 0:
        order, changed = _sorted_by_time(offsets, entries.times)
        entries = entries.rearranged(order)
        account.append(Step("cascades sorted by time", note=f"{changed} cascades"))
    assert entries.times is not None
    ties = int(_ties(offsets, entries.times))
    note = f"{ties} steps without a difference in time; the file's order is kept; {clock.said()}"
    account.append(Step("times checked", note=note))
    return entries


def _once(entries: _Entries, repeated: Repeated, users: Labels, files: Sequence[Path], account: list[Step]) -> _Entries:
    """With no user twice in a cascade."""
    first = _first_times(len(users), entries.offsets, entries.users)
    if repeated == "error" and not first.all():
        entry = int(np.argmin(first))
        message = f"user {users.text(entries.users[entry])} stands twice in the cascade"
        raise entries.fault(entry, files, message, 'correct the line, or set the option "repeated: first"')
    return entries.keep(first, "repeated users left out", account)


def _said(raw: Raw) -> str:
    return f"{raw.file.name}: {len(raw.lengths)} cascades" + (f" ({raw.note})" if raw.note else "")


@njit(cache=True)
def _first_decrease(offsets: NDArray[np.int64], times: NDArray[np.float64]) -> int:
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade] + 1, offsets[cascade + 1]):
            if times[entry] < times[entry - 1]:
                return entry
    return -1


@njit(cache=True)
def _sorted_by_time(offsets: NDArray[np.int64], times: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]:
    """(participations in order of time within each cascade, equal times as they were; cascades that change)."""
    order = np.arange(len(times))
    changed = 0
    for cascade in range(len(offsets) - 1):
        start, end = offsets[cascade], offsets[cascade + 1]
        if np.any(times[start + 1 : end] < times[start : end - 1]):
            order[start:end] = start + np.argsort(times[start:end], kind="mergesort")
            changed += 1
    return order, changed


@njit(cache=True)
def _left(offsets: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many participations of each cascade are chosen."""
    lengths = np.zeros(len(offsets) - 1, np.int64)
    for cascade in range(len(lengths)):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            lengths[cascade] += chosen[entry]
    return lengths


@njit(cache=True)
def _ties(offsets: NDArray[np.int64], times: NDArray[np.float64]) -> int:
    ties = 0
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade] + 1, offsets[cascade + 1]):
            ties += times[entry] == times[entry - 1]
    return ties


@njit(cache=True)
def _first_times(n_users: int, offsets: NDArray[np.int64], users: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether each participation is its user's first in the cascade."""
    last_seen = np.full(n_users, -1, np.int64)
    first = np.ones(len(users), np.bool_)
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            first[entry] = last_seen[users[entry]] != cascade
            last_seen[users[entry]] = cascade
    return first
