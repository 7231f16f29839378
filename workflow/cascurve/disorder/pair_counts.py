"""Who comes before whom: for each pair of users, in how many cascades both occur and in how many each is first.

Every measure of APCE's kind depends on the pairs only through a small table: how many pairs have support n
(cascades with both users) and minority count k (cascades in the rarer order). The table is made of integers, so
the dense and the sparse way and any number of threads give the same bits.

Ties in time: the order of the cascade as stored stands.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_index import PairIndex, pair_index
from cascurve.disorder.prefetch import prefetch
from cascurve.disorder.row_index import RowIndex, row_index, sort_block

Method = Literal["auto", "dense", "sparse"]
Part = TypeVar("Part")

DENSE_USERS = 2500
"""Up to this many users the dense way is tried: counters of n × n still fit a cache (12 MB)."""
AHEAD = 2
"""How many lists ahead of the one that is read are fetched."""
FETCHED = 128
"""Words fetched of each: the machine itself foresees the rest of a long list."""
LINE = 8
"""Words of 8 bytes in a cache line."""
TABLE_SUPPORT = 1023
"""Pairs with larger support are few; they are listed, not tabulated (the table would grow with n²)."""


@dataclass(frozen=True)
class PairTable:
    """How many pairs have support n and minority count k; one row per combination that occurs, ascending.

    Attributes
    ----------
    support : int64, shape (rows,). n >= 1: cascades in which both users occur.
    minority : int64, shape (rows,). k <= n / 2: cascades in the rarer of the two orders.
    pairs : int64, shape (rows,). Number of unordered pairs.
    """

    support: NDArray[np.int64]
    minority: NDArray[np.int64]
    pairs: NDArray[np.int64]

    @property
    def n_pairs(self) -> int:
        """Unordered pairs of users that occur together at least once."""
        return int(self.pairs.sum())

    @property
    def incidences(self) -> int:
        """Σ n_ij: pairs counted once per cascade, equal to Σ L(L − 1)/2 over the cascades."""
        return int((self.pairs * self.support).sum())

    @property
    def mean_support(self) -> float:
        """n̄: mean support of the pairs; NaN without pairs."""
        return self.incidences / self.n_pairs if self.n_pairs else float("nan")

    def support_histogram(self) -> NDArray[np.int64]:
        """Number of pairs by support, shape (largest support + 1,)."""
        return np.bincount(self.support, weights=self.pairs).astype(np.int64)


def pair_table(cascades: CascadeSet, *, method: Method = "auto", threads: int = 1) -> PairTable:
    """Count all pairs of a cascade set and summarise them.

    Parameters
    ----------
    method : "dense" counts in n × n counters over the users that occur, "sparse" user by user in
        O(users + entries) memory; "auto" takes the faster one. The result is the same to the bit.
    threads : workers; each has counters of its own.
    """
    if dense(cascades, method):
        return _as_table(*_dense_histogram(forward_counts(row_index(cascades), threads)))
    index = pair_index(cascades)
    parts = in_threads(threads, lambda start: _sparse_histogram(counter(index), index, start, threads))
    histogram = np.sum([part[0] for part in parts], axis=0)
    return _as_table(histogram, np.concatenate([part[1] for part in parts]))


def dense(cascades: CascadeSet, method: Method) -> bool:
    """Whether to count in n × n counters: "auto" does if they fit a cache and are not mostly empty."""
    if method != "auto":
        return method == "dense"
    active = np.count_nonzero(np.bincount(cascades.users))
    lengths = cascades.lengths.astype(np.float64)
    return bool(active <= DENSE_USERS and (lengths * lengths).sum() > active * active)


def in_threads(threads: int, task: Callable[[int], Part]) -> list[Part]:
    """Results of `task` for each worker 0 … threads − 1."""
    if threads == 1:
        return [task(0)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(task, range(threads)))


def counter(index: PairIndex) -> NDArray[Any]:
    """Zeroed counters, one per rank: support in the upper half of the bits, partner-first count in the lower."""
    return np.zeros(len(index.users), np.uint32 if index.max_support < 2**16 else np.uint64)


def forward_counts(index: RowIndex, threads: int = 1) -> NDArray[Any]:
    """n × n counters over the users that occur: cascades in which the row's user comes before the column's."""
    counts = np.zeros((index.active, index.active), np.uint16 if index.max_support < 2**16 else np.uint32)
    in_threads(threads, lambda worker: _count_forward(counts, index, worker, threads))
    return counts


def _as_table(histogram: NDArray[np.int64], listed: NDArray[np.int64]) -> PairTable:
    """Rows from the triangular histogram and from the list of pairs with larger support (n · 2³² + k)."""
    cells = np.flatnonzero(histogram)
    # Row n of the triangle starts at (n + 1)² // 4, so 4·cell lies in [(n + 1)² - 1, (n + 2)² - 2].
    support = np.floor(np.sqrt(4.0 * cells + 1.0)).astype(np.int64) - 1
    codes, times = np.unique(listed, return_counts=True)
    return PairTable(
        np.concatenate([support, codes >> 32]),
        np.concatenate([cells - (support + 1) ** 2 // 4, codes & 0xFFFFFFFF]),
        np.concatenate([histogram[cells], times]).astype(np.int64),
    )


@njit(cache=True, nogil=True)
def _count_forward(counts: NDArray[Any], index: RowIndex, worker: int, workers: int) -> None:
    """Rows worker, worker + workers, … of the counters."""
    ordered, offsets = index.ordered, index.offsets
    first = np.empty(index.active + 2, np.int64)
    begins, cascades = np.empty(index.room, np.int64), np.empty(index.room, np.int32)
    start = 0
    while start < len(offsets) - 1:
        start = sort_block(index, start, first, begins, cascades)
        for user in range(worker, index.active, workers):
            row = counts[user]
            for entry in range(first[user], first[user + 1]):
                after, end = np.uint64(begins[entry]), np.uint64(offsets[cascades[entry] + 1])
                # Four at a time, read before any is counted: the compiler does not know that `row` is another array.
                while after + np.uint64(4) <= end:
                    a, b = ordered[after], ordered[after + np.uint64(1)]
                    c, d = ordered[after + np.uint64(2)], ordered[after + np.uint64(3)]
                    row[a] += 1
                    row[b] += 1
                    row[c] += 1
                    row[d] += 1
                    after += np.uint64(4)
                while after < end:
                    row[ordered[after]] += 1
                    after += np.uint64(1)


@njit(cache=True)
def _dense_histogram(counts: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Histogram and list (see `_as_table`) of all pairs of an n × n matrix, block by block to stay in cache."""
    size, block = len(counts), 64
    histogram = np.zeros((TABLE_SUPPORT + 2) ** 2 // 4, np.int64)
    listed = np.empty(64, np.int64)
    n_listed = 0
    for top in range(0, size, block):
        for left in range(top, size, block):
            for i in range(top, min(top + block, size)):
                for j in range(max(left, i + 1), min(left + block, size)):
                    forward, backward = np.int64(counts[i, j]), np.int64(counts[j, i])
                    n = forward + backward
                    if n == 0:
                        continue
                    k = min(forward, backward)
                    if n <= TABLE_SUPPORT:
                        histogram[(n + 1) * (n + 1) // 4 + k] += 1
                    else:
                        listed = _with_room(listed, n_listed)
                        listed[n_listed] = (n << 32) + k
                        n_listed += 1
    return histogram, listed[:n_listed].copy()


@njit(cache=True, nogil=True)
def _sparse_histogram(
    counters: NDArray[Any], index: PairIndex, start: int, step: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Histogram and list (see `_as_table`) of the pairs whose rarer user has rank start, start + step, …"""
    first = index.first
    histogram = np.zeros((TABLE_SUPPORT + 2) ** 2 // 4, np.int64)
    listed = np.empty(64, np.int64)
    touched = np.empty(len(counters) + 1, np.uint32)
    n_listed = 0
    for rank in range(start, len(first) - 1, step):
        if first[rank + 1] - first[rank] == 1:  # all pairs of a user that occurs once are seen once
            entry = first[rank]
            histogram[1] += index.slots[entry] - index.offsets[index.cascades[entry]]
            continue
        n_touched = count_partners(counters, touched, rank, index)
        bits = np.uint64(counters.itemsize * 4)
        once = 0  # kept in a register: in large data most pairs are seen once
        for item in range(n_touched):
            packed = np.uint64(counters[touched[item]])
            counters[touched[item]] = 0
            n = np.int64(packed >> bits)
            if n == 1:
                once += 1
                continue
            forward = np.int64(packed) - (n << np.int64(bits))
            k = min(forward, n - forward)
            if n <= TABLE_SUPPORT:
                histogram[(n + 1) * (n + 1) // 4 + k] += 1
            else:
                listed = _with_room(listed, n_listed)
                listed[n_listed] = (n << 32) + k
                n_listed += 1
        histogram[1] += once
    return histogram, listed[:n_listed].copy()


@njit(cache=True, nogil=True)
def count_partners(counters: NDArray[Any], touched: NDArray[np.uint32], rank: int, index: PairIndex) -> int:
    """Count the partners of `rank` that are more frequent than it; `touched` lists them, their number is returned."""
    one = np.uint64(1) << np.uint64(counters.itemsize * 4)
    first, slots, cascades, offsets, packed = index.first, index.slots, index.cascades, index.offsets, index.packed
    n_touched = 0
    for entry in range(first[rank], first[rank + 1]):
        soon = min(entry + AHEAD, len(slots) - 1)
        begin = offsets[cascades[soon]]
        for line in range(begin, min(slots[soon] + 1, begin + FETCHED), LINE):
            prefetch(packed, np.uint64(line))
        slot = slots[entry]
        own = np.uint32(packed[slot])
        for other in range(offsets[cascades[entry]], slot):
            partner = np.uint32(packed[other] >> np.uint64(32))
            old = counters[partner]
            touched[n_touched] = partner  # kept only if the partner is new: no branch to mispredict
            n_touched += old == 0
            counters[partner] = old + one + np.uint64(np.uint32(packed[other]) < own)
    return n_touched


@njit(cache=True, nogil=True)
def _with_room(listed: NDArray[np.int64], used: int) -> NDArray[np.int64]:
    if used < len(listed):
        return listed
    larger = np.empty(2 * len(listed), np.int64)
    larger[:used] = listed
    return larger
