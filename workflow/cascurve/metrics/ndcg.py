"""Normalised discounted cumulative gain with binary gains (Järvelin & Kekäläinen 2002)."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.cuts import Cut, cut_name, cuts
from cascurve.metrics.gains import expected_gain
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: Cut = None, ideal: Literal["truth", "list"] = "truth") -> str:
    """Name of the output column."""
    return f"ndcg{cut_name(k)}" + ("" if ideal == "truth" else f"[{ideal}]")


def score(ranks: RelevantRanks, *, k: Cut = None, ideal: Literal["truth", "list"] = "truth") -> NDArray[np.float64]:
    """Sum of 1 / log2(rank + 1) over the recipients, over that of the ideal list; shape (m,).

    Parameters
    ----------
    k : ranks kept.
    ideal : how many hits the ideal list has: ``"truth"`` = min(k, recipients); ``"list"`` = that, but no more
        than the list is long, so that a short list of nothing but hits scores 1 (TAIA's nDCG@R).

    NaN where there is no recipient; 0 where nothing is ranked.
    """
    kept = cuts(ranks, k)
    most = np.minimum(ranks.n_relevant, kept if k is not None else ranks.n_relevant)
    if ideal == "list":
        most = np.minimum(most, ranks.n_candidates)
    length = int(max(ranks.n_candidates.max(initial=1), most.max(initial=1)))
    weights = 1.0 / np.log2(np.arange(2, length + 2))
    best = np.concatenate([[0.0], np.cumsum(weights)])[most]
    gain = expected_gain(ranks, weights, kept)
    found = np.divide(gain, best, out=np.zeros(len(ranks)), where=best > 0)
    return np.where(ranks.n_relevant > 0, found, np.nan)
