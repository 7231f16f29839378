"""R-precision: precision at as many ranks as there are recipients (TAIA's Prec@R)."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.gains import expected_hits, per_recipient
from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "r_precision"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Share of recipients among the first R ranks, R = number of recipients; shape (m,); NaN where R = 0."""
    return per_recipient(expected_hits(ranks, ranks.n_relevant), ranks)
