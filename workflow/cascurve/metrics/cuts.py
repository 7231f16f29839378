"""How many ranks of a list are kept: a number, as many as there are recipients, or all."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks

Cut = int | Literal["R"] | None


def cuts(ranks: RelevantRanks, k: Cut) -> NDArray[np.int64]:
    """Ranks kept per cascade; shape (m,). None keeps every candidate."""
    if k is None:
        return np.maximum(ranks.n_candidates, 1)
    if k == "R":
        return ranks.n_relevant
    if not isinstance(k, int) or k < 1:
        raise ConfigError("k", k, "a whole number of ranks >= 1, 'R' or null")
    return np.full(len(ranks), k, np.int64)


def cut_name(k: Cut) -> str:
    """Part of a column's name: ``""``, ``"@10"`` or ``"@R"``."""
    return "" if k is None else f"@{k}"
