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
    above: NDArray[np.int64],
    relevant_above: NDArray[np.int64],
    size: NDArray[np.int64],
    relevant: NDArray[np.int64],
    n_relevant: NDArray[np.int64],
    others: NDArray[np.int64],
) -> NDArray[np.float64]:
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        cap = n_relevant[cascade]
        for g in range(offsets[cascade], offsets[cascade + 1]):
            total[cascade] += relevant[g]
            if others[cascade] == 0:
                continue
            start = above[g] - relevant_above[g]
            mixed = size[g] - relevant[g]  # tied non-recipients: 0 … mixed of them come before, all equally likely
            below_cap = min(max(cap - start, 0), mixed + 1)
            before = below_cap * start + below_cap * (below_cap - 1) / 2 + (mixed + 1 - below_cap) * cap
            total[cascade] -= relevant[g] * before / (mixed + 1) / min(cap, others[cascade])
    return total
