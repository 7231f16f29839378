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
from cascurve.disorder.pair_counts import Method, count_partners, counter, dense, forward_counts, in_threads
from cascurve.disorder.pair_entropy import PairSums
from cascurve.disorder.pair_index import PairIndex, pair_index
from cascurve.disorder.row_index import RowIndex, row_index

Tables = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]

SCALE = 2.0**24
"""Fixed point: a term is rounded to 6e-8 bits, and 10¹⁰ pairs in one cascade do not overflow."""
BAYES_SUPPORT = 255
"""Largest support for which the loss in `bayes` is tabulated."""


def left_out(cascades: CascadeSet, priors: Priors, *, method: Method = "auto", threads: int = 1) -> PairSums:
    """For each cascade, what each sum loses when it is left out: fields of shape (m,).

    All are exact but `bayes`, which is to first order (the fitted priors move with the cascade), and for pairs of
    support above 255 is that of the plug-in. The bits are the same for all methods and threads.
    """
    parts: list[NDArray[np.int64]]
    if dense(cascades, method):
        rows = row_index(cascades)
        tables = _difference_tables(rows.max_support, priors)
        forward = forward_counts(rows, threads)
        backward = np.ascontiguousarray(forward.T)
        parts = in_threads(
            threads, lambda start: _by_row(forward, backward, rows, len(cascades), tables, start, threads)
        )
    else:
        index = pair_index(cascades)
        tables = _difference_tables(index.max_support, priors)
        parts = in_threads(threads, lambda start: _by_user(counter(index), index, tables, start, threads))
    sums = np.sum(parts, axis=0, dtype=np.int64)
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


def _difference_tables(largest: int, priors: Priors) -> Tables:
    """What the sums lose with one observation, in fixed point.

    T(x) − T(x − 1) and the counterparts of fair coins and of Zhang's estimator by x; 4·SCALE/((n − 1)(n − 2)) by
    n >= 3; and by n(n + 1)/2 + same, the loss in `bayes` less that of a pair seen once.
    """
    t, coin, harmonic = (
        np.rint(np.diff(values(largest), prepend=0.0) * SCALE).astype(np.int64)
        for values in (pair_entropy.x_log_x, pair_entropy.fair_coin, pair_entropy.x_harmonic)
    )
    n = np.arange(largest + 1, dtype=np.float64)
    inverse = 4.0 * SCALE / np.maximum((n - 1) * (n - 2), 1.0)
    same, support = np.triu_indices(min(largest, BAYES_SUPPORT) + 1)  # same <= support
    order = np.lexsort((same, support))
    same, support = same[order], support[order]
    known = same >= 1
    loss = np.full(len(same), _seen_once(priors))  # entry 0: what a pair seen once would lose
    loss[known] = priors.influence(support[known], same[known])
    loss[known] -= priors.influence(support[known] - 1, same[known] - 1) + _seen_once(priors)
    return t, coin, harmonic, inverse, np.rint(np.nan_to_num(loss) * SCALE).astype(np.int64)


def _seen_once(priors: Priors) -> float:
    """Entropy in bits of a pair seen once."""
    return float(priors.terms(np.array([1]), np.array([0]))[0])


@njit(cache=True, nogil=True, inline="always")
def _pairwise_loss(n: Any, same: Any, inverse: Any) -> Any:
    """Loss of 4ab/(n − 1), for unsigned n >= 2."""
    other = np.float64(n - same)
    exact = 4.0 * 2.0**24 * other if n == np.uint64(2) else other * (other - 1.0) * inverse[n]
    return np.int64(exact + 0.5)


@njit(cache=True, nogil=True, inline="always")
def _bayes_loss(n: Any, same: Any, lost: Any, by_prior: Any) -> Any:
    """Loss of n·E[H2 | k, n] less that of a pair seen once; `lost` is that of the plug-in."""
    if n <= np.uint64(BAYES_SUPPORT):
        return by_prior[((n * (n + np.uint64(1))) >> np.uint64(1)) + same]
    return lost - by_prior[0]


@njit(cache=True, nogil=True, inline="always")
def _add_losses(totals: Any, n: Any, same: Any, tables: Any) -> Any:
    """The six totals, with what they lose by one observation of a pair (unsigned n, `same` in this order)."""
    t, coin, harmonic, inverse, by_prior = tables
    a, b, c, d, e, f = totals
    if n > 1:
        lost = t[n] - t[same]
        a += lost
        b += coin[n]
        c += _pairwise_loss(n, same, inverse)
        d += 2**25 if n == np.uint64(2) else 2**24
        e += harmonic[n] - harmonic[same]
        f += _bayes_loss(n, same, lost, by_prior)
    return a, b, c, d, e, f


@njit(cache=True, nogil=True)
def _by_row(
    forward: NDArray[Any], backward: NDArray[Any], index: RowIndex, m: int, tables: Tables, start: int, step: int
) -> NDArray[np.int64]:
    ordered, first, begins, ends, cascades = index.ordered, index.first, index.begins, index.ends, index.cascades
    sums = np.zeros((m, 6), np.int64)
    for user in range(start, len(first) - 1, step):
        ahead, behind = forward[user], backward[user]
        for entry in range(first[user], first[user + 1]):
            row = sums[cascades[entry]]
            totals = row[0], row[1], row[2], row[3], row[4], row[5]
            for after in range(begins[entry], ends[entry]):
                same = np.uint64(ahead[ordered[after]])  # unsigned: no test for negative indices
                totals = _add_losses(totals, same + np.uint64(behind[ordered[after]]), same, tables)
            row[0], row[1], row[2], row[3], row[4], row[5] = totals
    return sums


@njit(cache=True, nogil=True)
def _by_user(counters: NDArray[Any], index: PairIndex, tables: Tables, start: int, step: int) -> NDArray[np.int64]:
    first, slots, cascades, offsets, entries = index.first, index.slots, index.cascades, index.offsets, index.packed
    sums = np.zeros((len(offsets) - 1, 6), np.int64)
    touched = np.empty(len(counters) + 1, np.uint32)
    bits = np.uint64(counters.itemsize * 4)
    low = (np.uint64(1) << bits) - np.uint64(1)
    for rank in range(start, len(first) - 1, step):
        if first[rank + 1] - first[rank] == 1:
            continue
        n_touched = count_partners(counters, touched, rank, index)
        for entry in range(first[rank], first[rank + 1]):
            own = np.uint32(entries[slots[entry]])
            row = sums[cascades[entry]]
            totals = row[0], row[1], row[2], row[3], row[4], row[5]
            for other in range(offsets[cascades[entry]], slots[entry]):
                packed = np.uint64(counters[np.uint32(entries[other] >> np.uint64(32))])
                n, partner_first = packed >> bits, packed & low
                same = partner_first if np.uint32(entries[other]) < own else n - partner_first
                totals = _add_losses(totals, n, same, tables)
            row[0], row[1], row[2], row[3], row[4], row[5] = totals
        for item in range(n_touched):
            counters[touched[item]] = 0
    return sums
