"""Standard errors by leaving out one cascade at a time.

Without cascade c, every pair in c loses one of its n observations; so one more pass over the pairs, with the
complete counts at hand, gives all m leave-one-out values exactly. A bootstrap of B draws costs B passes.

The sums per cascade are kept in fixed point: integers add up to the same bits in any order.
"""

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder import pair_entropy
from cascurve.disorder.empirical_bayes import Priors
from cascurve.disorder.pair_counts import (
    NO_ROUND,
    Method,
    all_partners,
    count_partners,
    counter,
    dense,
    forward_counts,
    in_threads,
    next_round,
    read_counter,
)
from cascurve.disorder.pair_entropy import PairSums
from cascurve.disorder.pair_index import PairIndex, pair_index, unpack
from cascurve.disorder.row_index import RowIndex, row_index, sort_block

Steps = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
Tables = tuple[NDArray[np.int64], Steps]

SCALE = 2.0**24
"""Fixed point: a term is rounded to 6e-8 bits, and 10¹⁰ pairs in one cascade do not overflow."""
TABULATED = 255
"""Largest support for which all losses are tabulated; beyond, that in `bayes` is that in `plug_in`."""


def left_out(cascades: CascadeSet, priors: Priors, *, method: Method = "auto", threads: int = 1) -> PairSums:
    """For each cascade, what each sum loses when it is left out: fields of shape (m,).

    All are exact but `bayes`, which is to first order (the fitted priors move with the cascade), and for pairs of
    support above 255 is that of the plug-in. The bits are the same for all methods and threads.
    """
    parts: list[NDArray[np.int64]]
    if dense(cascades, method):
        rows = row_index(cascades)
        tables = _tables(rows.max_support, priors)
        forward = forward_counts(rows, threads)
        backward = np.ascontiguousarray(forward.T)
        parts = in_threads(threads, lambda worker: _by_row(forward, backward, rows, tables, worker, threads))
    else:
        index = pair_index(cascades)
        tables = _tables(index.max_support, priors)
        parts = in_threads(threads, lambda start: _by_user(counter(index), index, tables, start, threads))
    sums: NDArray[np.int64] = np.sum(parts, axis=0, dtype=np.int64)
    lengths = cascades.lengths.astype(np.float64)
    incidences = lengths * (lengths - 1) / 2
    plug_in, fair_coin, pairwise, seen_twice, zhang, beyond_once = sums.T / SCALE
    bayes = beyond_once + incidences * _seen_once(priors)
    return PairSums(incidences, plug_in, fair_coin, pairwise, seen_twice, zhang, bayes)


def standard_error(
    numerator: float, denominator: float, less_numerator: NDArray[np.float64], less_denominator: NDArray[np.float64]
) -> float:
    """Jackknife standard error of a ratio of sums over independent cascades.

    Parameters
    ----------
    numerator, denominator : the sums over all cascades.
    less_numerator, less_denominator : shape (m,); what each sum loses with each cascade.

    Returns NaN for fewer than two cascades, and where the ratio hangs on a single one.
    """
    m = len(less_numerator)
    rest = denominator - less_denominator
    if m < 2 or not np.all(rest > 0):
        return math.nan
    values = (numerator - less_numerator) / rest
    deviations = values - math.fsum(values.tolist()) / m
    return math.sqrt((m - 1) / m * math.fsum((deviations * deviations).tolist()))


def _tables(largest: int, priors: Priors) -> Tables:
    """The losses by n(n + 1)/2 + same up to a support of `TABULATED`, and the steps they are made of, in fixed point.

    Steps: T(x) − T(x − 1) and the counterparts of fair coins and of Zhang's estimator by x; 4·SCALE/((n − 1)(n − 2))
    by n >= 3; and by n(n + 1)/2 + same, the loss in `bayes` less that of a pair seen once.
    """
    t, coin, harmonic = (
        np.rint(np.diff(values(largest), prepend=0.0) * SCALE).astype(np.int64)
        for values in (pair_entropy.x_log_x, pair_entropy.fair_coin, pair_entropy.x_harmonic)
    )
    n = np.arange(largest + 1, dtype=np.float64)
    inverse = 4.0 * SCALE / np.maximum((n - 1) * (n - 2), 1.0)
    same, support = np.triu_indices(min(largest, TABULATED) + 1)  # same <= support
    order = np.lexsort((same, support))
    same, support = same[order], support[order]
    known = same >= 1
    loss = np.full(len(same), _seen_once(priors))  # entry 0: what a pair seen once would lose
    loss[known] = priors.influence(support[known], same[known])
    loss[known] -= priors.influence(support[known] - 1, same[known] - 1) + _seen_once(priors)
    steps = t, coin, harmonic, inverse, np.rint(np.nan_to_num(loss) * SCALE).astype(np.int64)
    return _tabulate(support.astype(np.uint64), same.astype(np.uint64), steps), steps


def _seen_once(priors: Priors) -> float:
    """Entropy in bits of a pair seen once."""
    return float(priors.terms(np.array([1]), np.array([0]))[0])


@njit(cache=True, nogil=True)
def _losses(n: Any, same: Any, steps: Steps) -> Any:
    """What the six sums lose by one observation of a pair with support n >= 2, `same` of which have this order."""
    t, coin, harmonic, inverse, by_prior = steps
    lost = t[n] - t[same]
    other = np.float64(n - same)
    pairwise = 4.0 * 2.0**24 * other if n == np.uint64(2) else other * (other - 1.0) * inverse[n]
    seen_twice = 2**25 if n == np.uint64(2) else 2**24
    at = (n * (n + np.uint64(1)) >> np.uint64(1)) + same
    bayes = by_prior[at] if n <= np.uint64(TABULATED) else lost - by_prior[0]
    return lost, coin[n], np.int64(pairwise + 0.5), seen_twice, harmonic[n] - harmonic[same], bayes


@njit(cache=True)
def _tabulate(support: NDArray[np.uint64], same: NDArray[np.uint64], steps: Steps) -> NDArray[np.int64]:
    table = np.zeros((len(support), 6), np.int64)
    for row in range(len(support)):
        if support[row] > 1 and same[row] > 0:
            a, b, c, d, e, f = _losses(support[row], same[row], steps)
            table[row, 0], table[row, 1], table[row, 2], table[row, 3], table[row, 4], table[row, 5] = a, b, c, d, e, f
    return table


@njit(cache=True, nogil=True)
def _by_row(
    forward: NDArray[Any], backward: NDArray[Any], index: RowIndex, tables: Tables, worker: int, workers: int
) -> NDArray[np.int64]:
    ordered, offsets = index.ordered, index.offsets
    table, steps = tables
    first = np.empty(index.active + 2, np.int64)
    begins, cascades = np.empty(index.room, np.int64), np.empty(index.room, np.int32)
    sums = np.zeros((len(offsets) - 1, 6), np.int64)
    start = 0
    while start < len(offsets) - 1:
        start = sort_block(index, start, first, begins, cascades)
        for user in range(worker, index.active, workers):
            ahead, behind = forward[user], backward[user]
            for entry in range(first[user], first[user + 1]):
                a, b, c, d, e, f = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
                for after in range(begins[entry], offsets[cascades[entry] + 1]):
                    same = np.uint64(ahead[ordered[after]])  # unsigned: no test for negative indices
                    n = same + np.uint64(behind[ordered[after]])
                    if n <= np.uint64(TABULATED):
                        at = (n * (n + np.uint64(1)) >> np.uint64(1)) + same
                        a += table[at, 0]
                        b += table[at, 1]
                        c += table[at, 2]
                        d += table[at, 3]
                        e += table[at, 4]
                        f += table[at, 5]
                    else:
                        lost = _losses(n, same, steps)
                        a, b, c, d, e, f = a + lost[0], b + lost[1], c + lost[2], d + lost[3], e + lost[4], f + lost[5]
                row = sums[cascades[entry]]
                row[0] += a
                row[1] += b
                row[2] += c
                row[3] += d
                row[4] += e
                row[5] += f
    return sums


@njit(cache=True, nogil=True)
def _by_user(counters: NDArray[Any], index: PairIndex, tables: Tables, start: int, step: int) -> NDArray[np.int64]:
    first, slots, cascades, offsets = index.first, index.slots, index.cascades, index.offsets
    partners, now = all_partners(index), NO_ROUND
    table, steps = tables
    sums = np.zeros((len(offsets) - 1, 6), np.int64)
    seen = np.empty(len(counters) + 1, np.uint32)
    for rank in range(start, len(first) - 1, step):
        if first[rank + 1] - first[rank] == 1:
            continue
        now = next_round(counters, rank, index, now)
        count_partners(counters, seen, 1, rank, index, partners, now)
        for entry in range(first[rank], first[rank + 1]):
            _, own = unpack(index, slots[entry])
            a, b, c, d, e, f = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            for other in range(offsets[cascades[entry]], slots[entry]):
                partner, position = unpack(index, other)
                n, partner_first = read_counter(counters, partner, now)
                if n > 1:
                    same = partner_first if position < own else n - partner_first
                    if n <= np.uint64(TABULATED):
                        at = (n * (n + np.uint64(1)) >> np.uint64(1)) + same
                        a += table[at, 0]
                        b += table[at, 1]
                        c += table[at, 2]
                        d += table[at, 3]
                        e += table[at, 4]
                        f += table[at, 5]
                    else:
                        lost = _losses(n, same, steps)
                        a, b, c, d, e, f = a + lost[0], b + lost[1], c + lost[2], d + lost[3], e + lost[4], f + lost[5]
            row = sums[cascades[entry]]
            row[0] += a
            row[1] += b
            row[2] += c
            row[3] += d
            row[4] += e
            row[5] += f
    return sums
