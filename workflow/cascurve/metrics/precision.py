"""Precision at k."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.cuts import cut_name, cuts
from cascurve.metrics.gains import expected_hits, where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: int | Literal["R"]) -> str:
    """Name of the output column."""
    return f"precision{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: int | Literal["R"]) -> NDArray[np.float64]:
    """Share of recipients among the first k ranks; shape (m,); NaN where there is no recipient.

    A list shorter than k is filled up with misses: the divisor stays k (as in trec_eval).
    """
    kept = cuts(ranks, k)
    return where_defined(expected_hits(ranks, kept) / np.maximum(kept, 1), ranks)
