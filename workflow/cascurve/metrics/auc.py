"""Area under the ROC curve: how often a recipient stands above a non-recipient."""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks

Missed = Literal["below", "ignored"]


def column(*, missed: Missed = "below") -> str:
    """Name of the output column."""
    return "auc" if missed == "below" else f"auc[{missed}]"


def score(ranks: RelevantRanks, *, missed: Missed = "below") -> NDArray[np.float64]:
    """Share of (recipient, non-recipient) pairs in the right order, ties half; shape (m,).

    Parameters
    ----------
    missed : recipients that are not ranked stand ``"below"`` all candidates (2 · AUC - 1 is then TAIA's
        extendedAUC), or are ``"ignored"``.

    NaN where there is no such pair.
    """
    pairs = ranks.n_ranked if missed == "ignored" else ranks.n_relevant
    others = ranks.n_candidates - ranks.n_ranked
    won = _won(ranks.offsets, ranks.above, ranks.relevant_above, ranks.size, ranks.relevant, others)
    return np.divide(won, pairs * others, out=np.full(len(ranks), np.nan), where=pairs * others > 0)


@njit(cache=True)
def _won(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    relevant_above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    others: NDArray[np.int64],
) -> NDArray[np.float64]:
    won = np.zeros(len(offsets) - 1)
    for cascade in range(len(won)):
        twice = 0
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            mixed = size[g] - relevant[g]
            below = others[cascade] - (above[g] - relevant_above[g]) - mixed
            twice += relevant[g] * (2 * below + mixed)
        won[cascade] = twice / 2
    return won
