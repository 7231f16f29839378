"""How far a query's scores lie apart, whoever was infected: a control that knows no truth.

A measure that picks models no better than this one need not have looked at the truth.
"""

import numpy as np
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
    ordered = np.sort(ranks.scores.astype(np.float64), axis=1)  # NaN stands last
    n = np.sum(~np.isnan(ordered), axis=1)
    place = np.arange(ordered.shape[1])
    weights = 2 * place[None] - (n[:, None] - 1)
    total = np.where(place[None] < n[:, None], weights * np.nan_to_num(ordered), 0.0).sum(axis=1)
    spread = np.divide(2 * total, n * (n - 1), out=np.full(len(n), np.nan), where=n > 1)
    return where_defined(spread[ranks.query_rows], ranks)
