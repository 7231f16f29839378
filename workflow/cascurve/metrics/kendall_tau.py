"""Kendall's tau between the true order of the recipients and the predicted one."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "kendall_tau"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """(concordant - discordant pairs) / all pairs of recipients; shape (m,).

    Tied pairs count 0, the expectation over their order (tau-a). Recipients that are not ranked stand below all
    others and are tied among themselves. NaN where a cascade has fewer than two recipients.
    """
    return _tau(ranks.recipient_offsets, ranks.recipient_group)


@njit(cache=True)
def _tau(offsets: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    tau = np.full(len(offsets) - 1, np.nan)
    for cascade in range(len(tau)):
        start, end = offsets[cascade], offsets[cascade + 1]
        n = end - start
        if n < 2:
            continue
        balance: Any = 0
        for later in range(start + 1, end):
            # As unsigned numbers, groups are in the predicted order, and -1 (not ranked) is the last of all.
            place = np.uint64(group[later])
            for earlier in range(start, later):
                other = np.uint64(group[earlier])
                balance += np.int64(other < place) - np.int64(other > place)
        tau[cascade] = balance / (n * (n - 1) / 2)
    return tau
