"""Reciprocal rank of the best recipient; its mean is MRR."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.cuts import Cut, cut_name, cuts
from cascurve.metrics.gains import where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: Cut = None) -> str:
    """Name of the output column."""
    return f"rr{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: Cut = None) -> NDArray[np.float64]:
    """1 / rank of the first recipient, 0 where it lies beyond k; expectation over ties; shape (m,).

    NaN where there is no recipient.
    """
    return where_defined(_first(ranks.offsets, ranks.above, ranks.size, ranks.relevant, cuts(ranks, k)), ranks)


@njit(cache=True)
def _first(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
) -> NDArray[np.float64]:
    mean = np.zeros(len(offsets) - 1)
    for cascade in range(len(mean)):
        best = offsets[cascade]
        if best == offsets[cascade + 1]:
            continue
        t, r = size[best], relevant[best]
        chance = r / t  # that the first of the group's recipients holds place j
        for j in range(1, min(t - r + 1, kept[cascade] - above[best]) + 1):
            mean[cascade] += chance / (above[best] + j)
            if j < t:
                chance *= (t - j - r + 1) / (t - j)
    return mean
