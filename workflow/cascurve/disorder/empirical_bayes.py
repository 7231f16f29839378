"""Mean pairwise comparison entropy by empirical Bayes: the estimate to put on an x axis.

A pair seen once tells nothing about its own p_ij, but pairs seen twice, three times, … tell how the p_ij of a data
set are spread. So: the pairs are put into classes by support (half octaves: 2, 3, 4–5, 6–7, 8–11, …); in each class
p ~ Beta(α, α), with α of maximum likelihood given all pairs of the class; each pair counts with its posterior mean
entropy E[H2(p) | k of n], which is exact and in closed form; a pair seen once has the prior of the lowest class.
The classes let frequent pairs be more (or less) ordered than rare ones, as they are in cascades.

docs/difficulty.md compares it with other estimates; the posterior mean entropy of a beta distribution is that of
Wolpert & Wolf (1995), Phys. Rev. E 52, 6841, for two outcomes.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.disorder.pair_counts import PairTable

Values = NDArray[np.float64]
Counts = NDArray[np.int64]

WEAKEST, STRONGEST = math.log(1e-6), math.log(1e3)
"""Bounds of log α: all pairs in fixed order, and all pairs fair coins."""
STEP = 1e-4
"""Step in log α of the numerical derivatives."""


@dataclass(frozen=True)
class Priors:
    """Fitted priors by support class.

    Attributes
    ----------
    log_alpha : shape (classes,). Log of the Beta's α in each class; NaN in all if no pair is seen twice.
    slope : shape (classes,). Σ n·∂E[H2 | k, n]/∂log α over the pairs that use the class's prior, divided by the
        curvature of the class's log-likelihood: what a pair's score is worth in Σ n·E[H2 | k, n].
    """

    log_alpha: Values
    slope: Values

    def terms(self, n: Counts, k: Counts) -> Values:
        """n·E[H2(p) | k of n] in bits, elementwise."""
        classes = np.minimum(support_class(n), len(self.log_alpha) - 1)
        return n * posterior_entropy(n, k, np.exp(self.log_alpha[classes]))

    def influence(self, n: Counts, k: Counts) -> Values:
        """What one more pair (n, k) adds to Σ n·E[H2 | k, n], its effect on the prior included; 0 for n = 0."""
        classes = np.minimum(support_class(n), len(self.slope) - 1)
        score = np.where(n >= 2, _score(n, k, self.log_alpha[classes]), 0.0)
        return np.where(n >= 1, self.terms(np.maximum(n, 1), k) + self.slope[classes] * score, 0.0)


def support_class(n: Counts) -> Counts:
    """Half octaves of the support, from 0 for n = 1 (and for n = 2, whose prior it shares)."""
    return np.floor(2 * np.log2(np.maximum(n, 2))).astype(np.int64) - 2


def fit(table: PairTable) -> Priors:
    """Maximum-likelihood priors; a class without pairs takes the prior of the next higher one that has some."""
    n, k, pairs = table.support, table.minority, table.pairs.astype(np.float64)
    classes = support_class(n)
    count = int(classes.max(initial=0)) + 1
    log_alpha, curvature = np.full(count, math.nan), np.full(count, math.inf)
    for own in np.unique(classes[n >= 2]):
        chosen = (classes == own) & (n >= 2)
        log_alpha[own], curvature[own] = _fit_class(n[chosen], k[chosen], pairs[chosen])
    for own in range(count - 2, -1, -1):
        if math.isnan(log_alpha[own]):
            log_alpha[own] = log_alpha[own + 1]
    up, down = (n * posterior_entropy(n, k, np.exp(log_alpha[classes] + step)) for step in (STEP, -STEP))
    gain = np.bincount(classes, weights=pairs * (up - down) / (2 * STEP), minlength=count)
    return Priors(log_alpha, gain / curvature)


def posterior_entropy(n: Counts, k: Counts, alpha: Values) -> Values:
    """E[H2(p)] in bits for p ~ Beta(α + k, α + n − k), elementwise."""
    a, b = alpha + k, alpha + (n - k)
    total = 2 * alpha + n
    nats = digamma(total + 1) - (a * digamma(a + 1) + b * digamma(b + 1)) / total
    return nats / math.log(2.0)


def digamma(x: Values) -> Values:
    """ψ(x) for x > 0, to 1e-13 (recurrence to x >= 8, then the asymptotic series)."""
    shift = np.zeros_like(x)
    for _ in range(8):
        small = x < 8
        shift = np.where(small, shift - 1 / x, shift)
        x = np.where(small, x + 1, x)
    y = 1 / (x * x)
    series = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * 691 / 32760)))))
    return shift + np.log(x) - 0.5 / x - series


def _fit_class(n: Counts, k: Counts, pairs: Values) -> tuple[float, float]:
    """Log α by bisection on the score, and −d²(log-likelihood)/d(log α)² there; infinite at a bound."""

    # The score is Σ_pairs [Σ_{j<k} 1/(α + j) + Σ_{j<n−k} 1/(α + j) − Σ_{j<n} 2/(2α + j)]: sums over j of how many
    # pairs have a term j, which need no ψ.
    j = np.arange(n.max())
    either, both = _more_than(j, [k, n - k], pairs), _more_than(j, [n], pairs)

    def slope(log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return alpha * math.fsum((either / (alpha + j) - 2 * both / (2 * alpha + j)).tolist())

    low, high = WEAKEST, STRONGEST
    if slope(low) <= 0:
        return low, math.inf
    if slope(high) >= 0:
        return high, math.inf
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low, (slope(low - STEP) - slope(low + STEP)) / (2 * STEP)


def _more_than(j: Counts, counts: list[Counts], pairs: Values) -> Values:
    """Number of pairs with a count > j, summed over the kinds of count."""
    at = sum(np.bincount(count, weights=pairs, minlength=len(j) + 1) for count in counts)
    return np.asarray(at)[::-1].cumsum()[::-1][1:]


def _score(n: Counts, k: Counts, log_alpha: Values) -> Values:
    """d/d(log α) of the log beta-binomial probability of (n, k), elementwise."""
    alpha = np.exp(log_alpha)
    a: Values = alpha + k
    b: Values = alpha + (n - k)
    each = digamma(a) + digamma(b) - 2 * digamma(alpha)
    return alpha * (each - 2 * digamma(2 * alpha + n) + 2 * digamma(2 * alpha))
