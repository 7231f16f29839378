"""Lift: how much denser recipients stand in the first part of a ranking than in the whole."""

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.gains import expected_hits, where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks

BEST = np.nan
"""The best value depends on the share of recipients."""


def column(*, share: float = 0.25) -> str:
    """Name of the output column."""
    return f"lift[{share:g}]"


def score(ranks: RelevantRanks, *, share: float = 0.25) -> NDArray[np.float64]:
    """Share of recipients found in the first part, over the share of candidates in it; shape (m,).

    Parameters
    ----------
    share : size of the first part, 0 < share <= 1; rounded to a whole number of candidates, at least one.

    1 at random. NaN where there is no recipient; 0 where nobody is ranked.
    """
    if not 0 < share <= 1:
        raise ConfigError("share", share, "a number above 0 and at most 1")
    kept = np.maximum(np.rint(share * ranks.n_candidates), 1).astype(np.int64)
    part = kept * ranks.n_relevant / np.maximum(ranks.n_candidates, 1)
    hits = expected_hits(ranks, kept)
    return where_defined(np.divide(hits, part, out=np.zeros(len(ranks)), where=part > 0), ranks)
