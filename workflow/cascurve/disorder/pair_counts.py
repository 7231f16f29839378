"""Who comes before whom: for each pair of users, in how many cascades both occur and in how many each is first.

Every measure of APCE's kind depends on the pairs only through a small table: how many pairs have support n
(cascades with both users) and minority count k (cascades in the rarer order). The table is made of integers, so
the dense and the sparse way and any number of threads give the same bits.

Ties in time: the order of the cascade as stored stands.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_index import PairIndex, pair_index, unpack
from cascurve.disorder.prefetch import prefetch
from cascurve.disorder.row_index import RowIndex, row_index, sort_block

Method = Literal["auto", "dense", "sparse"]
Part = TypeVar("Part")

DENSE_USERS = 2500
"""Up to this many users the dense way is tried: counters of n × n still fit a cache (12 MB)."""
AHEAD = 2
"""How many lists ahead of the one that is read are fetched."""
FETCHED = 1024
"""Bytes fetched of each: the machine itself foresees the rest of a long list."""
LINE = 64
"""Bytes of a cache line."""
BLOCK = 8192
"""Partners that are counted together where cascades are long: their counters stay in the first cache (32 kB)."""
WORTH = 16
"""Comparisons for each part of a list from which on counting block by block is faster."""
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
    index, blocks = _in_blocks(pair_index(cascades))
    size = BLOCK if len(blocks) > 2 else len(index.users)
    parts = in_threads(threads, lambda start: _sparse_histogram(counter(index, size), index, blocks, start, threads))
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


def counter(index: PairIndex, size: int | None = None) -> NDArray[Any]:
    """Zeroed counters, one per rank unless their number is given; see `Round`."""
    return np.zeros(len(index.users) if size is None else size, np.uint32 if index.max_support < 2**16 else np.uint64)


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
                        listed, n_listed = _append(listed, n_listed, (n << 32) + k)
    return histogram, listed[:n_listed].copy()


class Partners(NamedTuple):
    """Where the partners that are counted together stand in each cascade's list.

    Attributes
    ----------
    fetched : words fetched ahead of each list: none where the lists of a block stay in a cache themselves.
    begins, ends : int64, shape (m,). Their part of cascade c: ``begins[c]:ends[c]`` of `PairIndex.packed`.
    """

    fetched: int
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]


@njit(cache=True, nogil=True)
def all_partners(index: PairIndex) -> Partners:
    """All ranks together."""
    return Partners(FETCHED // index.packed.itemsize, index.offsets[:-1], index.offsets[1:])


def _in_blocks(index: PairIndex) -> tuple[PairIndex, NDArray[np.int64]]:
    """The index for counting block by block, and where the partners of each block begin in each cascade.

    Row b of the places, of shape (blocks + 1, m), is of the partners from rank b · `BLOCK` on. The words of the index
    then say rank - b · `BLOCK` instead of rank, so that they are short ones also where users are many.

    One block for all, and the index as it is, unless lists are long: every part of every list costs a visit.
    """
    lengths = np.diff(index.offsets).astype(np.float64)
    size = -(-len(index.users) // BLOCK)
    if size <= 1 or (lengths * (lengths - 1)).sum() / 2 <= WORTH * size * len(index.packed):
        return index, np.stack([index.offsets[:-1], index.offsets[1:]])
    starts = np.arange(size + 1, dtype=np.uint64) * np.uint64(BLOCK) << np.uint64(index.shift)
    begins = [begin + np.searchsorted(index.packed[begin:end], starts) for begin, end in pairwise(index.offsets)]
    low = (BLOCK << index.shift) - 1  # the bits that stay; BLOCK is a power of two
    packed = (index.packed & index.packed.dtype.type(low)).astype(np.uint32 if low < 2**32 else np.uint64)
    return index._replace(packed=packed), np.ascontiguousarray(np.transpose(begins))


class Round(NamedTuple):
    """How the counters of one user read: what an earlier user left in them is below `stamp`, so none is cleared.

    A counter holds stamp + support · 2^bits + cascades in which the partner is first.
    """

    stamp: np.uint64
    bits: np.uint64


NO_ROUND = Round(np.uint64(0), np.uint64(0))
"""Before the first user, with counters that are zero."""


@njit(cache=True, nogil=True)
def next_round(counters: NDArray[Any], rank: int, index: PairIndex, last: Round) -> Round:
    """The round of a user who is not more frequent than the last one; counters are cleared where they are full."""
    bits = np.uint64(0)
    while (index.first[rank + 1] - index.first[rank]) >> bits:
        bits += np.uint64(1)
    stamp = last.stamp + (np.uint64(1) << np.uint64(2) * last.bits)
    most = (np.uint64(1) << np.uint64(2) * bits) - np.uint64(1)
    top = ~np.uint64(0) >> np.uint64(64 - 8 * counters.itemsize)
    if stamp < last.stamp or stamp > top or most > top - stamp:
        counters[:] = 0
        stamp = np.uint64(0)
    return Round(stamp, bits)


@njit(cache=True, nogil=True)
def read_counter(counters: NDArray[Any], partner: Any, now: Round) -> tuple[Any, Any]:
    """Support of a pair, and in how many of the cascades its partner is first; uint64 both."""
    word = np.uint64(counters[np.uint64(partner)]) - now.stamp
    return word >> now.bits, word & ((np.uint64(1) << now.bits) - np.uint64(1))


@njit(cache=True, nogil=True)
def _sparse_histogram(
    counters: NDArray[Any], index: PairIndex, blocks: NDArray[np.int64], start: int, step: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Histogram and list (see `_as_table`) of the pairs whose rarer user has rank start, start + step, …"""
    first = index.first
    histogram = np.zeros((TABLE_SUPPORT + 2) ** 2 // 4, np.int64)
    listed = np.empty(64, np.int64)
    repeated = np.empty(len(counters) + 1, np.uint32)
    n_listed = 0
    for block in range(len(blocks) - 1):
        fetched = FETCHED // index.packed.itemsize if len(blocks) == 2 else 0
        partners = Partners(fetched, blocks[block], blocks[block + 1])
        counters[:] = 0
        now = NO_ROUND
        for rank in range(start, len(first) - 1, step):
            if rank <= block * BLOCK:
                continue
            if first[rank + 1] - first[rank] == 1:  # all pairs of a user that occurs once are seen once
                owner = index.cascades[first[rank]]
                histogram[1] += max(0, min(index.slots[first[rank]], partners.ends[owner]) - partners.begins[owner])
                continue
            now = next_round(counters, rank, index, now)
            n_repeated, once = count_partners(counters, repeated, 2, rank, index, partners, now)
            for item in range(n_repeated):  # in large data most pairs are seen once: nothing more is done for those
                support, forward = read_counter(counters, repeated[item], now)
                n = np.int64(support)
                once -= n
                k = min(np.int64(forward), n - np.int64(forward))
                if n <= TABLE_SUPPORT:
                    histogram[(n + 1) * (n + 1) // 4 + k] += 1
                else:
                    listed, n_listed = _append(listed, n_listed, (n << 32) + k)
            histogram[1] += once
    return histogram, listed[:n_listed].copy()


@njit(cache=True, nogil=True)
def count_partners(
    counters: NDArray[Any], seen: NDArray[np.uint32], times: int, rank: int, index: PairIndex, partners: Partners,
    now: Round,
) -> tuple[int, int]:  # fmt: skip
    """Count those partners of `rank` that are more frequent than it.

    Those seen at least `times` times are listed in `seen`. Returns how many these are, and the comparisons counted.
    """
    first, slots, cascades, packed = index.first, index.slots, index.cascades, index.packed
    begins, ends = partners.begins, partners.ends
    before, one = np.uint64(times - 1), np.uint64(1) << now.bits
    line = LINE // packed.itemsize
    n_seen, comparisons = 0, 0
    for entry in range(first[rank], first[rank + 1]):
        soon = min(entry + AHEAD, len(slots) - 1)
        begin = begins[cascades[soon]]
        for word in range(begin, min(slots[soon] + 1, begin + partners.fetched), line):
            prefetch(packed, np.uint64(word))
        slot = slots[entry]
        _, own = unpack(index, slot)
        begin, end = begins[cascades[entry]], min(slot, ends[cascades[entry]])
        comparisons += max(0, end - begin)
        for other in range(begin, end):
            partner, position = unpack(index, other)
            old = max(np.uint64(counters[partner]), now.stamp)
            seen[n_seen] = partner  # kept only if it is time: no branch to mispredict
            n_seen += (old - now.stamp) >> now.bits == before
            counters[partner] = old + one + np.uint64(position < own)
    return n_seen, comparisons


@njit(cache=True, nogil=True)
def _append(listed: NDArray[np.int64], used: int, value: int) -> tuple[NDArray[np.int64], int]:
    """The list with one more value, and its new length; room doubles where it runs out."""
    if used == len(listed):
        larger = np.empty(2 * used, np.int64)
        larger[:used] = listed
        listed = larger
    listed[used] = value
    return listed, used + 1
