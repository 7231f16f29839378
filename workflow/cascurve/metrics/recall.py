"""Recall at k."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.cuts import Cut, cut_name, cuts
from cascurve.metrics.gains import expected_hits, per_recipient
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: Cut = None) -> str:
    """Name of the output column."""
    return f"recall{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: Cut = None) -> NDArray[np.float64]:
    """Share of the recipients that stand among the first k ranks; shape (m,); NaN where there is no recipient."""
    found = ranks.n_ranked if k is None else expected_hits(ranks, cuts(ranks, k))
    return per_recipient(np.asarray(found, np.float64), ranks)
