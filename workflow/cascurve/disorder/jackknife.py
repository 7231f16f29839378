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
from cascurve.disorder.pair_counts import Method, count_partners, counter, dense_pays, forward_counts, in_threads
from cascurve.disorder.pair_entropy import PairSums
from cascurve.disorder.pair_index import PairIndex, pair_index

Tables = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]

SCALE = 2.0**24
"""Fixed point: a term is rounded to 6e-8 bits, and 10¹⁰ pairs in one cascade do not overflow."""
BAYES_SUPPORT = 255
"""Largest support for which the loss in `bayes` is tabulated."""


def left_out(cascades: CascadeSet, priors: Priors, *, method: Method = "auto", threads: int = 1) -> PairSums:
    """For each cascade, what each sum loses when it is left out: fields of shape (m,).

    All are exact but `bayes`, which is to first order (the fitted priors move with the cascade), and for pairs of
    support above 255 is that of the plug-in. The bits are the same for all methods and threads.
    """
    index = pair_index(cascades)
    tables = _difference_tables(index.max_support, priors)
    if method == "dense" or (method == "auto" and dense_pays(index)):
        sums = _by_cascade(forward_counts(index, threads), cascades.offsets, index.in_order(), tables)
    else:
        parts = in_threads(threads, lambda start: _by_user(counter(index), index, tables, start, threads))
        sums = np.sum(parts, axis=0, dtype=np.int64)
    lengths = cascades.lengths.astype(np.float64)
    incidences = lengths * (lengths - 1) / 2
    plug_in, fair_coin, pairwise, seen_twice, beyond_once = sums.T / SCALE
    bayes = beyond_once + incidences * _seen_once(priors)
    return PairSums(incidences, plug_in, fair_coin, pairwise, seen_twice, bayes)


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

    T(x) − T(x − 1) and its fair-coin counterpart by x; 4·SCALE/((n − 1)(n − 2)) by n >= 3; and by
    n(n + 1)/2 + same, the loss in `bayes` less that of a pair seen once.
    """
    t = np.rint(np.diff(pair_entropy.x_log_x(largest), prepend=0.0) * SCALE).astype(np.int64)
    coin = np.rint(np.diff(pair_entropy.fair_coin(largest), prepend=0.0) * SCALE).astype(np.int64)
    n = np.arange(largest + 1, dtype=np.float64)
    inverse = 4.0 * SCALE / np.maximum((n - 1) * (n - 2), 1.0)
    same, support = np.triu_indices(min(largest, BAYES_SUPPORT) + 1)  # same <= support
    order = np.lexsort((same, support))
    same, support = same[order], support[order]
    known = same >= 1
    loss = np.full(len(same), _seen_once(priors))  # entry 0: what a pair seen once would lose
    loss[known] = priors.influence(support[known], same[known])
    loss[known] -= priors.influence(support[known] - 1, same[known] - 1) + _seen_once(priors)
    return t, coin, inverse, np.rint(np.nan_to_num(loss) * SCALE).astype(np.int64)


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


@njit(cache=True, nogil=True)
def _by_cascade(
    forward: NDArray[Any], offsets: NDArray[np.int64], ordered: NDArray[np.uint32], tables: Tables
) -> NDArray[np.int64]:
    t, coin, inverse, by_prior = tables
    sums = np.zeros((len(offsets) - 1, 5), np.int64)
    for cascade in range(len(offsets) - 1):
        a, b, c, d, e = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        for before in range(offsets[cascade], offsets[cascade + 1]):
            u = ordered[before]
            for after in range(before + 1, offsets[cascade + 1]):
                v = ordered[after]
                same = np.uint64(forward[u, v])  # unsigned: no test for negative indices
                n = same + np.uint64(forward[v, u])
                if n > 1:
                    lost = t[n] - t[same]
                    a += lost
                    b += coin[n]
                    c += _pairwise_loss(n, same, inverse)
                    d += 2**25 if n == np.uint64(2) else 2**24
                    e += _bayes_loss(n, same, lost, by_prior)
        row = sums[cascade]
        row[0], row[1], row[2], row[3], row[4] = a, b, c, d, e
    return sums


@njit(cache=True, nogil=True)
def _by_user(counters: NDArray[Any], index: PairIndex, tables: Tables, start: int, step: int) -> NDArray[np.int64]:
    first, slots, cascades, offsets, entries = index.first, index.slots, index.cascades, index.offsets, index.packed
    t, coin, inverse, by_prior = tables
    sums = np.zeros((len(offsets) - 1, 5), np.int64)
    touched = np.empty(len(counters) + 1, np.uint32)
    bits = np.uint64(counters.itemsize * 4)
    low = (np.uint64(1) << bits) - np.uint64(1)
    for rank in range(start, len(first) - 1, step):
        if first[rank + 1] - first[rank] == 1:
            continue
        n_touched = count_partners(counters, touched, rank, index)
        for entry in range(first[rank], first[rank + 1]):
            own = np.uint32(entries[slots[entry]])
            a, b, c, d, e = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            for other in range(offsets[cascades[entry]], slots[entry]):
                packed = np.uint64(counters[np.uint32(entries[other] >> np.uint64(32))])
                n, partner_first = packed >> bits, packed & low
                if n > 1:
                    same = partner_first if np.uint32(entries[other]) < own else n - partner_first
                    lost = t[n] - t[same]
                    a += lost
                    b += coin[n]
                    c += _pairwise_loss(n, same, inverse)
                    d += 2**25 if n == np.uint64(2) else 2**24
                    e += _bayes_loss(n, same, lost, by_prior)
            row = sums[cascades[entry]]
            row[0] += a
            row[1] += b
            row[2] += c
            row[3] += d
            row[4] += e
        for item in range(n_touched):
            counters[touched[item]] = 0
    return sums
