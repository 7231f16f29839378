"""TAIA's corrected AUC (Dietz, Dalton & Balog 2013): 2 · AUC - 1 over the list that was returned."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics import auc
from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "corrected_auc"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """In [-1, 1], 0 at random; recipients that are not ranked are ignored; shape (m,).

    0 where the list has no recipient or nothing else; NaN where the cascade has no recipient.
    """
    corrected = np.nan_to_num(2 * auc.score(ranks, missed="ignored") - 1, nan=0.0)
    return np.where(ranks.n_relevant > 0, corrected, np.nan)
