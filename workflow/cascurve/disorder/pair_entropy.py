"""Estimates of the mean pairwise comparison entropy from a table of pairs.

T(x) = x·log2 x turns n·H2(a/n) into T(n) − T(a) − T(n − a), so no estimate takes a logarithm per pair. Sums run
over the rows of a `PairTable` and are rounded once (`math.fsum`): their order does not matter.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.disorder.empirical_bayes import Priors
from cascurve.disorder.pair_counts import PairTable

Values = NDArray[np.float64]
Sum = Any  # a float for a set, or float64 of shape (m,) by cascade


@dataclass(frozen=True)
class PairSums:
    """Sums over pairs from which the estimates are made: of a whole set, or what each cascade takes away from them.

    Attributes
    ----------
    incidences : Σ n.
    plug_in : Σ n·H2(k/n), in bits.
    fair_coin : Σ n·E[H2(A/n)] with A ~ Binomial(n, 1/2), in bits.
    pairwise, seen_twice : Σ 4ab/(n − 1) and Σ n, over the pairs with n >= 2.
    zhang : Σ n·Ĥ with Zhang's estimator, in bits.
    bayes : Σ n·E[H2(p) | k of n], in bits, under the priors of `cascurve.disorder.empirical_bayes`.
    """

    incidences: Sum
    plug_in: Sum
    fair_coin: Sum
    pairwise: Sum
    seen_twice: Sum
    zhang: Sum
    bayes: Sum


def pair_sums(table: PairTable, priors: Priors) -> PairSums:
    """The sums of a table, each rounded once; `priors` are those fitted to it."""
    n, k = table.support, table.minority
    largest = int(n.max(initial=0))
    t, z = x_log_x(largest), x_harmonic(largest)
    return PairSums(
        table.incidences,
        _sum(table, t[n] - t[k] - t[n - k]),
        _sum(table, fair_coin(largest)[n]),
        _sum(table, 4.0 * k * (n - k) / np.maximum(n - 1, 1)),
        int((n * table.pairs)[n >= 2].sum()),
        _sum(table, z[n] - z[k] - z[n - k]),
        _sum(table, priors.terms(n, k)),
    )


def plug_in(sums: PairSums) -> tuple[Sum, Sum]:
    """APCE, the paper's eqs. 4 and 5, in bits: numerator and denominator."""
    return sums.plug_in, sums.incidences


def relative(sums: PairSums) -> tuple[Sum, Sum]:
    """APCE over what it would be on average if every pair tossed a fair coin, the supports being what they are.

    1 for pure chance at any sample size, but not an entropy.
    """
    return sums.plug_in, sums.fair_coin


def pairwise(sums: PairSums) -> tuple[Sum, Sum]:
    """Σ n·4ab/(n(n − 1)) / Σ n over pairs with n >= 2: unbiased for 4p(1 − p) of each pair, given its support.

    4p(1 − p) has the range of H2 and lies below it.
    """
    return sums.pairwise, sums.seen_twice


def bayes(sums: PairSums) -> tuple[Sum, Sum]:
    """Empirical-Bayes APCE, in bits: the least biased one."""
    return sums.bayes, sums.incidences


def zhang(sums: PairSums) -> tuple[Sum, Sum]:
    """Σ n·Ĥ / Σ n with Zhang's estimator of each pair's entropy (2012, Neural Computation 24, 1368), in bits.

    Ĥ = h(n − 1) − (a/n)·h(a − 1) − (b/n)·h(b − 1) with the harmonic numbers h: unbiased up to terms in
    p(1 − p)ⁿ, so good for n >= 10; a pair seen once still counts 0.
    """
    return sums.zhang, sums.incidences


RATIOS = (plug_in, relative, pairwise, bayes, zhang)
"""The estimates, each a ratio of two sums."""


def quotient(numerator: float, denominator: float) -> float:
    """The ratio; NaN where there is nothing to divide by."""
    return float(numerator / denominator) if denominator > 0 else math.nan


def miller_madow(table: PairTable) -> float:
    """Plug-in plus 1/(2n) nats for each pair seen in both orders (Miller 1955), in bits. NaN without pairs."""
    n, k = table.support, table.minority
    t = x_log_x(int(n.max(initial=0)))
    return quotient(_sum(table, t[n] - t[k] - t[n - k] + (k > 0) / (2 * math.log(2.0))), table.incidences)


def x_log_x(largest: int) -> Values:
    """T(x) = x·log2 x for x = 0 … largest, with T(0) = 0."""
    return np.array([0.0, *(x * math.log2(x) for x in range(1, largest + 1))])


def x_harmonic(largest: int) -> Values:
    """x·h(x − 1) in bits for x = 0 … largest, with the harmonic numbers h: in Zhang's estimator it stands for T(x)."""
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, max(2, largest)))])
    return np.arange(largest + 1) * harmonic[: largest + 1] / math.log(2.0)


def fair_coin(largest: int) -> Values:
    """n·E[H2(A/n)], A ~ Binomial(n, 1/2), for n = 0 … largest."""
    return _fair_coin(x_log_x(largest))


def _sum(table: PairTable, terms: Values) -> float:
    return math.fsum((terms * table.pairs).tolist())


@njit(cache=True)
def _fair_coin(t: Values) -> Values:
    """T(n) − 2·E[T(A)], with the sum cut where the binomial is below 1e-30 of its peak."""
    expected = np.zeros(len(t))
    peak = 0.5  # probability of middle heads in n tosses
    for n in range(2, len(t)):
        middle = n // 2
        if n % 2:
            peak *= n / (n + 1)
        mean = 0.0
        weight = peak
        for a in range(middle, n + 1):
            mean += weight * t[a]
            weight *= (n - a) / (a + 1)
            if weight < 1e-30 * peak:
                break
        weight = peak
        for a in range(middle - 1, -1, -1):
            weight *= (a + 1) / (n - a)
            mean += weight * t[a]
            if weight < 1e-30 * peak:
                break
        expected[n] = t[n] - 2.0 * mean
    return expected
