"""Bpref (Buckley & Voorhees 2004), as trec_eval computes it."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.gains import per_recipient
from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "bpref"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """Mean over the recipients of 1 - min(non-recipients above, R) / min(R, non-recipients); shape (m,).

    Every candidate counts as judged. NaN where there is no recipient.
    """
    others = ranks.n_candidates - ranks.n_ranked
    total = _sum(ranks.offsets, ranks.above, ranks.relevant_above, ranks.size, ranks.relevant, ranks.n_relevant, others)
    return per_recipient(total, ranks)


@njit(cache=True)
def _sum(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    relevant_above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    n_relevant: NDArray[np.int64],
    others: NDArray[np.int64],
) -> NDArray[np.float64]:
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        cap = n_relevant[cascade]
        found, before = 0, 0.0  # recipients, and non-recipients above each of them, up to the cap
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            found += relevant[g]
            start = above[g] - relevant_above[g]
            mixed = size[g] - relevant[g]  # tied non-recipients: 0 … mixed of them come before, all equally likely
            if mixed == 0:
                before += relevant[g] * min(start, cap)
                continue
            below_cap = min(max(cap - start, 0), mixed + 1)
            summed = below_cap * start + below_cap * (below_cap - 1) / 2 + (mixed + 1 - below_cap) * cap
            before += relevant[g] * summed / (mixed + 1)
        total[cascade] = found - (before / min(cap, others[cascade]) if before > 0 else 0.0)
    return total
