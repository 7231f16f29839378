"""How far a query's scores lie apart, whoever was infected: a control that knows no truth.

A measure that picks models no better than this one need not have looked at the truth.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.gains import where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks

BEST = np.nan
"""More spread is not better; there is no best value."""


def column() -> str:
    """Name of the output column."""
    return "score_spread"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Gini's mean difference of the query's scores: the mean of |p - q| over pairs of candidates; shape (m,).

    NaN where there is no recipient or fewer than two candidates.
    """
    narrow = ranks.scores.dtype == np.float32
    ordered = np.sort(ranks.scores if narrow else ranks.scores.astype(np.float64), axis=1)  # NaN stands last
    return where_defined(_mean_difference(ordered)[ranks.query_rows], ranks)


@njit(cache=True)
def _mean_difference(ordered: NDArray[Any]) -> NDArray[np.float64]:
    """Of each ascending row, without its NaNs at the end: the value at place j is added j times and subtracted the
    other times."""
    spread = np.full(len(ordered), np.nan)
    for i in range(len(ordered)):
        row = ordered[i]
        n = len(row)
        while n > 0 and np.isnan(row[n - 1]):
            n -= 1
        total = 0.0
        for j in range(n):
            total += (2 * j - (n - 1)) * np.float64(row[j])
        if n > 1:
            spread[i] = 2 * total / (n * (n - 1))
    return spread
