"""Area under the ROC curve: how often a recipient stands above a non-recipient."""

from typing import Literal

import numpy as np
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
    return np.divide(ranks.pairs_won, pairs * others, out=np.full(len(ranks), np.nan), where=pairs * others > 0)
