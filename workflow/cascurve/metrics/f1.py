"""F1 at k, the harmonic mean of precision and recall."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.cuts import cut_name, cuts
from cascurve.metrics.gains import expected_hits, where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: int | Literal["R"]) -> str:
    """Name of the output column."""
    return f"f1{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: int | Literal["R"]) -> NDArray[np.float64]:
    """2 · hits / (k + recipients), which equals 2PR/(P + R); shape (m,); NaN where there is no recipient."""
    kept = cuts(ranks, k)
    return where_defined(2 * expected_hits(ranks, kept) / np.maximum(kept + ranks.n_relevant, 1), ranks)
