"""Rank-biased precision (Moffat & Zobel 2008)."""

import math

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.cuts import cuts
from cascurve.metrics.gains import expected_gain, where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, p: float = 0.8) -> str:
    """Name of the output column."""
    return f"rbp[p={p:g}]"


def score(ranks: RelevantRanks, *, p: float = 0.8) -> NDArray[np.float64]:
    """(1 - p) · sum of p^(rank - 1) over the recipients; shape (m,); NaN where there is no recipient.

    Parameters
    ----------
    p : probability of looking at the next rank, 0 < p < 1.
    """
    if not 0 < p < 1:
        raise ConfigError("p", p, "a number between 0 and 1, both excluded")
    weights = np.zeros(int(ranks.n_candidates.max(initial=1)))
    counted = int(math.log(5e-324) / math.log(p)) + 2  # beyond, a weight is too small for a float64
    weights[:counted] = (1 - p) * p ** np.arange(min(counted, len(weights)), dtype=np.float64)
    return where_defined(expected_gain(ranks, weights, cuts(ranks, None)), ranks)
