"""Kendall-type rank correlation between cascades, over the users that they share."""

import math

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_counts import pair_table
from cascurve.disorder.reading import Reading, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """Share of concordant minus share of discordant comparisons, −1 … 1; 0 is chance, 1 a fixed order.

    A comparison is two cascades and two users that both hold. For complete rankings this is the mean of Kendall's τ
    over all pairs of cascades. Unbiased at any sample size; NaN where no two cascades share two users.
    """
    return read_off(cascades, _tau)


def _tau(cascades: CascadeSet) -> float:
    table = pair_table(cascades)
    n, k = table.support, table.minority
    comparisons = int((table.pairs * (n * (n - 1) // 2)).sum())
    discordant = int((table.pairs * (k * (n - k))).sum())
    return 1 - 2 * discordant / comparisons if comparisons else math.nan
