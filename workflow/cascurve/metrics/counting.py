"""The kernel under `relevant_ranks`: candidates counted between the recipients' scores.

No measure needs the whole order, only the places of the few true recipients. So nothing is sorted but the
recipients; every candidate is dropped into the interval between two of them by table look-up, once per query
for all cascades of the query. Scores come as the bits of float32s; all arithmetic that decides is on integers
or rounds monotonically, so the counts are exact, ties included.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

OCTAVES = 8
MOST_CELLS = 32768  # two tables of 128 kB: the second-level cache holds them


@njit(cache=True)
def count(
    scores: NDArray[np.float32],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    rows: NDArray[np.int64],
    order: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(candidates, groups) per cascade, group per recipient, and above, relevant above, size, relevant per group."""
    n_candidates = np.zeros(len(rows), np.int64)
    group_counts = np.zeros(len(rows), np.int64)
    group_of = np.full(len(users), -1, np.int64)
    groups = np.zeros((4, len(users)), np.int64)
    n = scores.shape[1]
    most = min(_largest_query(offsets, rows, order), n)
    recipients = np.empty(most, np.int32)
    place = np.full(n, -1, np.int32)  # user -> threshold
    counts = np.empty((2, most + 2), np.int64)
    hits = np.zeros(most, np.int32)
    slot = np.empty(most, np.int64)
    table = np.empty((2, MOST_CELLS + 4), np.int32)
    scratch = np.empty((3, n + 1), np.int32)
    first = 0
    while first < len(order):
        values = scores[rows[order[first]]]
        row = values.view(np.int32)
        ranked: Any = 0
        for bits in row:  # in order, and first of all: what follows finds the row in the cache
            ranked += np.int32(not _is_nan(bits))
        last = first
        found = 0
        while last < len(order) and rows[order[last]] == rows[order[first]]:
            for entry in range(offsets[order[last]], offsets[order[last] + 1]):
                user = users[entry]
                if place[user] < 0 and not _is_nan(row[user]):
                    place[user] = 0
                    recipients[found] = user
                    found += 1
            last += 1
        _count_query(values, row, recipients[:found], place, counts, table, scratch)
        for position in range(first, last):
            cascade = order[position]
            n_candidates[cascade] = ranked
            start, end = offsets[cascade], offsets[cascade + 1]
            group_counts[cascade] = _emit(users, start, end, place, counts, hits, slot, groups, group_of)
        for user in recipients[:found]:
            place[user] = -1
        first = last
    n_groups = _close_gaps(offsets, group_counts, groups, group_of)
    return n_candidates, group_counts, group_of, groups[:, :n_groups]


@njit(cache=True)
def _largest_query(offsets: NDArray[np.int64], rows: NDArray[np.int64], order: NDArray[np.int64]) -> int:
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
def _is_nan(bits: Any) -> Any:
    return np.int32(bits & 0x7FFFFFFF) > np.int32(0x7F800000)


@njit(cache=True)
def _key(bits: Any) -> Any:
    """An int32 in the order of the float32s with these bits; 0.0 and -0.0 share one, NaN comes below all."""
    sign = np.int32(bits >> 31)
    key = np.int32(np.int32(np.int32(bits & 0x7FFFFFFF) ^ sign) - sign)
    return np.int32(-0x7FFFFFFF) if _is_nan(bits) else key


@njit(cache=True)
def _position(value: Any, bits: Any, by_ratio: bool, core: Any) -> Any:
    """A float32 that never decreases with the score: the score itself, or its key less the core around zero."""
    if by_ratio:
        key = _key(bits)
        return np.float32(np.int32(key - max(min(key, core), np.int32(-core))))
    return np.float32(-np.inf) if _is_nan(bits) else value


@njit(cache=True)
def _cell(position: Any, low: Any, scale: Any, last: Any) -> Any:
    """Cell of a position, 0 … last; never decreases with it, since every step rounds monotonically."""
    return np.int32(max(min((position - low) * scale + np.float32(1.0), last), np.float32(0.0)))


@njit(cache=True)
def _count_query(
    values: NDArray[np.float32],
    row: NDArray[np.int32],
    recipients: NDArray[np.int32],
    place: NDArray[np.int32],
    counts: NDArray[np.int64],
    table: NDArray[np.int32],
    scratch: NDArray[np.int32],
) -> None:
    """Count one query's candidates against its recipients' keys, the thresholds.

    Sorts `recipients` ascending and fills ``place[recipient]`` with its place t among them (that of the first of
    equals), ``counts[0, t + 2]`` with the candidates above it and ``counts[1, t]`` with those equal to it.
    A table of cells says between which thresholds a candidate lies; only candidates that share their cell with a
    threshold are compared.
    """
    found = len(recipients)
    if found == 0:
        return
    n_cells = min(max(16 * found, len(row) // 2), MOST_CELLS)
    last = np.float32(n_cells + 1)
    starts, interval = table[0], table[1]
    cell_of, keys, waiting = scratch[0], scratch[1], scratch[2]
    by_ratio, core = False, np.int32(0)
    low, scale = _even_cells(values, recipients, n_cells)
    occupied = 0
    if scale > 0:
        occupied = _fill_cells(values, row, recipients, by_ratio, core, low, scale, last, cell_of, starts)
    if 2 * occupied < found:
        by_ratio = True
        core, low, scale = _ratio_cells(row, recipients, n_cells)
        _fill_cells(values, row, recipients, by_ratio, core, low, scale, last, cell_of, starts)
    _sort_recipients(row, recipients, keys, cell_of, waiting, starts[: n_cells + 4])
    keys[found] = np.int32(0x7FFFFFFF)  # above every key
    for cell in range(n_cells + 2):  # interval t + 1: above t thresholds; 0: to be compared
        interval[cell] = starts[cell] + 1 if starts[cell] == starts[cell + 1] else 0
    between, equal = counts[0], counts[1]
    between[: found + 2] = 0
    equal[:found] = 0
    for j in range(len(row)):
        cell_of[j] = _cell(_position(values[j], row[j], by_ratio, core), low, scale, last)
    pending = 0
    for j in range(len(row)):
        i = interval[cell_of[j]]
        between[i] += 1
        waiting[pending] = j
        pending += i == 0
    for p in range(pending):
        j = waiting[p]
        key = _key(row[j])
        t = _first_not_below(keys, key, np.int64(starts[cell_of[j]]), np.int64(starts[cell_of[j] + 1]))
        same = np.int64(keys[t] == key)
        counts[same, t + 1 - same] += 1
    above = 0
    for t in range(found - 1, -1, -1):
        above += between[t + 2]
        between[t + 2] = above
        above += equal[t]
    first = 0
    for t in range(found):
        first = t if equal[t] > 0 else first
        place[recipients[t]] = first


@njit(cache=True)
def _even_cells(values: NDArray[np.float32], recipients: NDArray[np.int32], n_cells: int) -> Any:
    """(low, scale) of cells of equal width in the score; scale 0 where there can be none."""
    low, high = np.float32(np.inf), np.float32(-np.inf)
    for user in recipients:
        if np.isfinite(values[user]):  # infinities fall into the outermost cells
            low, high = min(low, values[user]), max(high, values[user])
    width = np.float32(high - low)
    scale = np.float32(n_cells) / width if width > 0 else np.float32(0.0)
    return low, scale if np.isfinite(scale) else np.float32(0.0)


@njit(cache=True)
def _ratio_cells(row: NDArray[np.int32], recipients: NDArray[np.int32], n_cells: int) -> Any:
    """(core, low, scale) of cells of equal width in the key, that is of equal ratios of scores.

    Where the range holds zero, scores below 2**-OCTAVES of the largest share one cell, the core, or the tiniest
    numbers would take nearly all cells.
    """
    lowest: Any = np.int32(0x7F800000)
    highest: Any = np.int32(-0x7F800000)
    core: Any = np.int32(0)
    for user in recipients:
        key = _key(row[user])
        if abs(key) < 0x7F800000:
            lowest, highest = min(lowest, key), max(highest, key)
    if lowest <= 0 <= highest:
        core = np.int32(max(max(highest, np.int32(-lowest)) - OCTAVES * 2**23, 0))
        lowest = np.int32(min(lowest + core, 0))
        highest = np.int32(max(highest - core, 0))
    low = np.float32(lowest)
    return core, low, np.float32(n_cells) / max(np.float32(highest) - low, np.float32(1.0))


@njit(cache=True)
def _fill_cells(
    values: NDArray[np.float32],
    row: NDArray[np.int32],
    recipients: NDArray[np.int32],
    by_ratio: bool,
    core: Any,
    low: Any,
    scale: Any,
    last: Any,
    cell_of: NDArray[np.int32],
    starts: NDArray[np.int32],
) -> int:
    """Count the recipients of cell c in starts[c + 2]; returns how many cells have any."""
    starts[: int(last) + 3] = 0
    occupied = 0
    for t in range(len(recipients)):
        user = recipients[t]
        cell_of[t] = _cell(_position(values[user], row[user], by_ratio, core), low, scale, last)
        occupied += starts[cell_of[t] + 2] == 0
        starts[cell_of[t] + 2] += 1
    return occupied


@njit(cache=True)
def _first_not_below(keys: NDArray[np.int32], key: Any, start: int, end: int) -> int:
    """First place from `start` to `end` (not empty) where the sorted `keys` are not below `key`; `end` if none."""
    while end - start > 8:
        middle = (start + end) // 2
        if keys[middle] < key:
            start = middle + 1
        else:
            end = middle
    start += keys[start] < key  # nearly always all there is to do, and free of branches
    while keys[start] < key:  # what follows the cell's keys is larger
        start += 1
    return start


@njit(cache=True)
def _sort_recipients(
    row: NDArray[np.int32],
    recipients: NDArray[np.int32],
    keys: NDArray[np.int32],
    cell_of: NDArray[np.int32],
    unsorted: NDArray[np.int32],
    starts: NDArray[np.int32],
) -> None:
    """Sort `recipients` by key and fill `keys`; those of cell c come to stand from starts[c] to
    starts[c + 1], which enters as a count two places further."""
    fullest = 0
    for cell in range(2, len(starts)):
        fullest = max(fullest, starts[cell])
        starts[cell] += starts[cell - 1]
    unsorted[: len(recipients)] = recipients
    for t in range(len(recipients)):
        cell = cell_of[t] + 1
        recipients[starts[cell]] = unsorted[t]
        starts[cell] += 1
    for t in range(len(recipients)):
        keys[t] = _key(row[recipients[t]])
    gap = 1  # nearly sorted by now: an insertion sort, or a full Shell sort where a cell is crowded
    while fullest > 16 and gap < len(recipients) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for entry in range(gap, len(recipients)):
            user, key = recipients[entry], keys[entry]
            free = entry
            while free >= gap and keys[free - gap] > key:
                recipients[free], keys[free] = recipients[free - gap], keys[free - gap]
                free -= gap
            recipients[free], keys[free] = user, key
        gap //= 3


@njit(cache=True)
def _emit(
    users: NDArray[np.int32],
    start: int,
    end: int,
    place: NDArray[np.int32],
    counts: NDArray[np.int64],
    hits: NDArray[np.int32],
    slot: NDArray[np.int64],
    groups: NDArray[np.int64],
    group_of: NDArray[np.int64],
) -> int:
    """Write the groups of the recipients users[start:end], best first, from groups[start] on; returns how many."""
    lowest, highest = len(hits), -1
    for entry in range(start, end):
        t = place[users[entry]]
        if t >= 0:
            hits[t] += 1
            group_of[entry] = t
            lowest, highest = min(lowest, t), max(highest, t)
    group, relevant_above = start, 0
    for t in range(highest, lowest - 1, -1):
        if hits[t] > 0:
            groups[0, group] = counts[0, t + 2]
            groups[1, group] = relevant_above
            groups[2, group] = counts[1, t]
            groups[3, group] = hits[t]
            relevant_above += hits[t]
            hits[t] = 0
            slot[t] = group
            group += 1
    for entry in range(start, end):
        if group_of[entry] >= 0:
            group_of[entry] = slot[group_of[entry]]
    return group - start


@njit(cache=True)
def _close_gaps(
    offsets: NDArray[np.int64], group_counts: NDArray[np.int64], groups: NDArray[np.int64], group_of: NDArray[np.int64]
) -> int:
    """Move the groups together, where ties and unranked recipients left room; returns how many there are."""
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
    return end
