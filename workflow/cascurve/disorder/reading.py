"""What a measure of disorder other than APCE yields, and its standard error."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet

GROUPS = 20
"""Groups of the jackknife: the statistic is computed once per group."""


@dataclass(frozen=True)
class Reading:
    """One number that says how disordered a cascade set is.

    Attributes
    ----------
    value : the measure, in the unit that its module states; NaN where it is not defined.
    se : standard error over cascades; NaN with fewer than two cascades or where it is not defined.
    """

    value: float
    se: float


def read_off(cascades: CascadeSet, statistic: Callable[[CascadeSet], float]) -> Reading:
    """The statistic and its delete-a-group jackknife standard error (Shao & Tu 1995, section 5.5.2).

    Group g of 20 (or of m, if less) holds every 20th cascade from the g-th on: no chance, and no order effects for
    cascades sorted by time or source.
    """
    value = statistic(cascades)
    m = len(cascades)
    groups = min(GROUPS, m)
    if groups < 2 or math.isnan(value):
        return Reading(value, math.nan)
    member = np.arange(m) % groups
    without = np.array([statistic(cascades.take(member != group)) for group in range(groups)])
    deviations = without - without.mean()
    return Reading(value, math.sqrt((groups - 1) / groups * float((deviations * deviations).sum())))


def entropy(counts: NDArray[np.int64]) -> float:
    """Plug-in entropy of a distribution given by counts, in bits; NaN without counts."""
    total = int(counts.sum())
    if total == 0:
        return math.nan
    return math.log2(total) - math.fsum(c * math.log2(c) for c in counts.tolist() if c) / total
