"""Number of recipients found (TAIA's numPosPredictions without a cut)."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.cuts import Cut, cut_name, cuts
from cascurve.metrics.gains import expected_hits, where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks

BEST = np.nan
"""The best value depends on the number of recipients."""


def column(*, k: Cut = None) -> str:
    """Name of the output column."""
    return f"hits{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: Cut = None) -> NDArray[np.float64]:
    """Expected number of recipients among the first k ranks; shape (m,); NaN where there is no recipient."""
    found = ranks.n_ranked if k is None else expected_hits(ranks, cuts(ranks, k))
    return where_defined(np.asarray(found, np.float64), ranks)
