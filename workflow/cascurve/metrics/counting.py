"""The kernel under `relevant_ranks`: candidates counted above each recipient, without sorting them.

No measure needs the whole order, only the places of the few true recipients. So the scores are dropped into cells,
in an order that never contradicts theirs, once per query for all of its cascades. What lies in higher cells than
a recipient's stands above it; only candidates that share a cell with a recipient are compared. All arithmetic that
decides is on integers or rounds monotonically, so the counts are exact, ties included.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.cells import LANES, MOST_CELLS, Map, cell_of, cells_of, even_map, key_of, ratio_map, rows_for

BLOCK = 4096
"""Candidates whose cells are held at a time: they stay in the first-level cache."""

WANTED = np.int32(1 << 30)
"""Mark of a cell that holds a recipient, added to the number of candidates in it."""

FEW = 16
"""Candidates of a cell up to which each of its recipients is compared with all of them."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]


def count(
    scores: NDArray[np.float32],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    rows: NDArray[np.int64],
    order: NDArray[np.int64],
) -> Counts:
    """(candidates, groups) per cascade, group per recipient, and above, relevant above, size, relevant per group.

    Arguments as in `ranks_of`; `order` sorts the cascades by their row.
    """
    group_of = np.empty(len(users), np.int32)
    groups = np.empty((4, len(users)), np.int32)
    n_candidates, group_counts = _count(scores, offsets, users, rows, order, group_of, groups)
    return n_candidates, group_counts, group_of, groups[:, : group_counts.sum()]


@njit(cache=True)
def _count(
    scores: NDArray[np.float32],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    rows: NDArray[np.int64],
    order: NDArray[np.int64],
    group_of: NDArray[np.int32],
    groups: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n_candidates = np.zeros(len(rows), np.int64)
    group_counts = np.zeros(len(rows), np.int64)
    n = scores.shape[1]
    most = min(largest_query(offsets, rows, order), n)
    recipients = np.empty(most, np.int32)
    place = np.full(n, -1, np.int32)  # user -> place among the query's recipients
    wanted = np.empty(most, np.float32)  # their scores
    found_at = np.empty((2, most), np.int32)  # candidates above each of them, and equal to it
    table = np.empty((3, MOST_CELLS), np.int32)
    lists = np.empty((3, n + 1), np.int32)
    crowd = np.empty((5, 2 * most + LANES), np.int64)
    cells = np.empty(BLOCK, np.int32)
    bits = np.zeros(n // 64 + 1, np.int64)
    held = np.zeros(n + 1, np.int32)
    first = 0
    while first < len(order):
        values = scores[rows[order[first]]]
        ranked = _ranked(values)  # first of all: what follows finds the row in the cache
        last = first
        found: Any = np.uint32(0)
        while last < len(order) and rows[order[last]] == rows[order[first]]:
            for entry in users[offsets[order[last]] : offsets[order[last] + 1]]:
                user = np.uint32(entry)
                if place[user] < 0 and not np.isnan(values[user]):
                    place[user] = found
                    recipients[found] = user
                    wanted[found] = values[user]
                    found = np.uint32(found + np.uint32(1))
            last += 1
        if found:
            _count_query(values, wanted[:found], found_at, table, lists, crowd, cells)
        for position in range(first, last):
            cascade = order[position]
            n_candidates[cascade] = ranked
            start, end = offsets[cascade], offsets[cascade + 1]
            group_counts[cascade] = _emit(users, start, end, place, found_at, bits, held, groups, group_of)
        for r in range(found):
            place[np.uint32(recipients[r])] = -1
        first = last
    _close_gaps(offsets, group_counts, groups, group_of)
    return n_candidates, group_counts


@njit(cache=True)
def _ranked(values: NDArray[np.float32]) -> Any:
    """How many scores are numbers."""
    ranked = np.int32(0)
    for j in range(len(values)):
        ranked = np.int32(ranked + np.int32(not np.isnan(values[j])))
    return np.int64(ranked)


@njit(cache=True)
def largest_query(offsets: NDArray[np.int64], rows: NDArray[np.int64], order: NDArray[np.int64]) -> int:
    """Most recipients of any query, over all of its cascades."""
    most, current = 0, 0
    for position in range(len(order)):
        cascade = order[position]
        if position and rows[cascade] != rows[order[position - 1]]:
            current = 0
        current += offsets[cascade + 1] - offsets[cascade]
        most = max(most, current)
    return most


@njit(cache=True)
def _count_query(
    values: NDArray[np.float32],
    wanted: NDArray[np.float32],
    found_at: NDArray[np.int32],
    table: NDArray[np.int32],
    lists: NDArray[np.int32],
    crowd: NDArray[np.int64],
    cells: NDArray[np.int32],
) -> None:
    """Fill ``found_at[:, r]`` with the candidates above the r-th recipient and those equal to it, itself included.

    `wanted` are the recipients' scores. The other arrays are scratch: per cell the number of candidates and the
    last one and last recipient in it, per candidate and per recipient the one before in the same cell.
    """
    row, wanted_bits = values.view(np.int32), wanted.view(np.int32)
    shift = rows_for(len(wanted))
    inside, last_member, last_recipient = table[0, : LANES << shift], table[1], table[2]
    member, earlier_member = lists[0], lists[1]
    earlier_recipient, cell_at, higher = crowd[0], crowd[1], crowd[2]
    by, usable, differ = even_map(wanted, shift)
    occupied = _mark(wanted, by, inside, last_member, last_recipient, earlier_recipient, cell_at) if usable else 0
    if not usable or (differ and 2 * occupied < len(wanted)):
        by = ratio_map(wanted, shift)
        _mark(wanted, by, inside, last_member, last_recipient, earlier_recipient, cell_at)
    waiting: Any = np.uint32(0)
    linked: Any = np.uint32(0)
    for start in range(0, len(row), BLOCK):
        block = values[start : start + BLOCK]
        cells_of(block, by, cells)
        for j in range(len(block)):
            cell = np.uint32(cells[j])
            so_far = inside[cell]
            inside[cell] = np.int32(so_far + np.int32(1))
            member[waiting] = start + j
            waiting = np.uint32(waiting + np.uint32(so_far >> 30))
        while linked < waiting:  # candidates that share a cell with a recipient
            cell = np.uint32(cells[np.uint32(member[linked] - start)])
            earlier_member[linked] = last_member[cell]
            last_member[cell] = linked
            linked = np.uint32(linked + np.uint32(1))
    _sum_up(inside, higher)
    for r in range(len(wanted)):
        cell = np.uint32(cell_at[r])
        above = np.int32(higher[cell % np.uint32(LANES)] - inside[cell])
        size = inside[cell] - (inside[cell - np.uint32(LANES)] if cell >= LANES else 0)
        if size == 1:
            found_at[0, r], found_at[1, r] = above, 1
        elif size <= FEW:
            equal = np.int32(0)
            m = last_member[cell]
            while m >= 0:
                other = values[np.uint32(member[np.uint32(m)])]
                above = np.int32(above + np.int32(other > wanted[r]))
                equal = np.int32(equal + np.int32(other == wanted[r]))
                m = earlier_member[np.uint32(m)]
            found_at[0, r], found_at[1, r] = above, equal
        elif last_recipient[cell] >= 0:
            _count_crowd(
                row, wanted_bits, found_at, above, last_recipient[cell], earlier_recipient,
                last_member[cell], member, earlier_member, crowd[3:],
            )  # fmt: skip
            last_recipient[cell] = -1


@njit(cache=True)
def _mark(
    wanted: NDArray[np.float32],
    by: Map,
    inside: NDArray[np.int32],
    last_member: NDArray[np.int32],
    last_recipient: NDArray[np.int32],
    earlier_recipient: NDArray[np.int64],
    cell_at: NDArray[np.int64],
) -> int:
    """Mark the cells of the recipients and fill ``cell_at``; returns how many cells there are."""
    bits = wanted.view(np.int32)
    inside[:] = 0
    occupied = 0
    for r in range(len(wanted)):
        cell = np.uint32(cell_of(wanted[r], bits[r], by))
        first = inside[cell] == 0
        occupied += first
        cell_at[r] = cell
        earlier_recipient[r] = -1 if first else last_recipient[cell]
        last_recipient[cell] = r
        last_member[cell] = -1
        inside[cell] = WANTED
    return occupied


@njit(cache=True)
def _sum_up(inside: NDArray[np.int32], higher: NDArray[np.int64]) -> None:
    """Replace the candidates in each cell by those in the cells up to it in its column; `higher` becomes the
    candidates in each column and those above it."""
    for cell in range(len(inside)):
        inside[cell] = np.int32(inside[cell] & ~WANTED)
    for start in range(LANES, len(inside), LANES):
        before, here = inside[start - LANES : start], inside[start : start + LANES]
        for column in range(LANES):
            here[column] = np.int32(here[column] + before[column])
    total = 0
    for column in range(LANES - 1, -1, -1):
        total += inside[len(inside) - LANES + column]
        higher[column] = total


@njit(cache=True)
def _count_crowd(
    row: NDArray[np.int32],
    wanted: NDArray[np.int32],
    found_at: NDArray[np.int32],
    above: Any,
    recipient: int,
    earlier_recipient: NDArray[np.int64],
    candidate: int,
    member: NDArray[np.int32],
    earlier_member: NDArray[np.int32],
    crowd: NDArray[np.int64],
) -> None:
    """Count a cell with many candidates, ties for instance: each is looked up among the cell's sorted recipients."""
    size = 0
    while recipient >= 0:
        crowd[0, size] = np.int64(key_of(wanted[recipient])) << 32 | recipient
        recipient = earlier_recipient[recipient]
        size += 1
    ordered, between = crowd[0, :size], crowd[1, : 2 * size + 1]
    ordered.sort()
    between[:] = 0  # 2t: candidates between the recipients t - 1 and t; 2t + 1: those equal to t
    while candidate >= 0:
        key = np.int64(key_of(row[member[candidate]])) << 32
        t = np.searchsorted(ordered, key)
        same = t < size and ordered[t] >> 32 << 32 == key
        between[2 * t + same] += 1
        candidate = earlier_member[candidate]
    first = size
    while first > 0:
        end = first
        above += between[2 * end]
        first -= 1
        while first > 0 and ordered[first - 1] >> 32 == ordered[first] >> 32:
            first -= 1
        for entry in range(first, end):
            r = ordered[entry] & 0xFFFFFFFF
            found_at[0, r], found_at[1, r] = above, between[2 * first + 1]
        above += between[2 * first + 1]


@njit(cache=True)
def _emit(
    users: NDArray[np.int32],
    start: int,
    end: int,
    place: NDArray[np.int32],
    found_at: NDArray[np.int32],
    bits: NDArray[np.int64],
    held: NDArray[np.int32],
    groups: NDArray[np.int32],
    group_of: NDArray[np.int32],
) -> Any:
    """Write the groups of the recipients users[start:end], best first, from groups[start] on; returns how many.

    The recipients are sorted by the candidates above them: one bit for each number of candidates. `bits` and
    `held` (recipients by that number) enter as zeros and leave so.
    """
    mine, at = users[start:end], group_of[start:end]
    above_of, relevant_above_of = groups[0, start:end], groups[1, start:end]
    size_of, relevant_of = groups[2, start:end], groups[3, start:end]
    for i in range(len(mine)):
        r = place[np.uint32(mine[i])]
        at[i] = -1
        if r >= 0:
            above = np.uint32(found_at[0, np.uint32(r)])
            at[i] = above
            bits[above >> np.uint32(6)] |= np.int64(1) << np.int64(above & np.uint32(63))
            held[above] = np.int32(held[above] + np.int32(1))
    group: Any = np.uint32(0)
    relevant_above = 0
    for word in range(len(bits)):
        left = bits[word]
        bits[word] = 0
        while left:
            lowest = left & -left
            left ^= lowest
            bit = ((np.float64(lowest).view(np.int64) >> 52) & 2047) - 1023  # the exponent tells which it is
            above = np.uint32(64 * word + bit)
            above_of[group] = above
            relevant_above_of[group] = relevant_above
            relevant_of[group] = held[above]
            relevant_above += held[above]
            held[above] = group
            group = np.uint32(group + np.uint32(1))
    for i in range(len(mine)):
        if at[i] >= 0:
            g = np.uint32(held[np.uint32(at[i])])
            at[i] = np.int32(start + np.int64(g))
            size_of[g] = found_at[1, np.uint32(place[np.uint32(mine[i])])]
    for i in range(group):
        held[np.uint32(above_of[i])] = 0
    return np.int64(group)


@njit(cache=True)
def _close_gaps(
    offsets: NDArray[np.int64], group_counts: NDArray[np.int64], groups: NDArray[np.int32], group_of: NDArray[np.int32]
) -> None:
    """Move the groups together, where ties and unranked recipients left room."""
    end = 0
    for cascade in range(len(group_counts)):
        gap = offsets[cascade] - end
        if gap > 0:
            for group in range(end, end + group_counts[cascade]):
                for field in range(4):
                    groups[field, group] = groups[field, group + gap]
            for entry in range(offsets[cascade], offsets[cascade + 1]):
                if group_of[entry] >= 0:
                    group_of[entry] -= gap
        end += group_counts[cascade]
