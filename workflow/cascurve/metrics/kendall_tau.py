"""Kendall's tau between the true order of the recipients and the predicted one."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks

LANES = 32
NOT_RANKED = np.int32(0x7FFFFFFF)


def column() -> str:
    """Name of the output column."""
    return "kendall_tau"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """(concordant - discordant pairs) / all pairs of recipients; shape (m,).

    Tied pairs count 0, the expectation over their order (tau-a). Recipients that are not ranked stand below all
    others and are tied among themselves. NaN where a cascade has fewer than two recipients.
    """
    return _tau(ranks.recipient_offsets, ranks.recipient_group, ranks.offsets, ranks.relevant)


@njit(cache=True)
def _tau(
    recipient_offsets: NDArray[np.int64],
    recipient_group: NDArray[np.int32],
    offsets: NDArray[np.int64],
    relevant: NDArray[np.int32],
) -> NDArray[np.float64]:
    lengths = recipient_offsets[1:] - recipient_offsets[:-1]
    earlier = np.empty(_padded(lengths.max() if len(lengths) else 0), np.int32)
    tau = np.full(len(lengths), np.nan)
    for cascade in range(len(tau)):
        n = lengths[cascade]
        if n < 2:
            continue
        groups = recipient_group[recipient_offsets[cascade] : recipient_offsets[cascade + 1]]
        earlier[: _padded(n)] = NOT_RANKED  # above no one
        concordant, ranked = 0, 0
        for later in range(n):
            place = NOT_RANKED if groups[later] < 0 else groups[later]
            concordant += _above(earlier[: _padded(later)], place)
            earlier[later] = place
            ranked += place != NOT_RANKED
        tied = (n - ranked) * (n - ranked - 1) // 2
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            tied += relevant[g] * (relevant[g] - 1) // 2
        pairs = n * (n - 1) // 2
        tau[cascade] = (2 * concordant + tied - pairs) / pairs
    return tau


@njit(cache=True)
def _padded(n: Any) -> Any:
    """Up to whole blocks, so that no recipient is compared on its own."""
    return np.int64((n + LANES - 1) // LANES * LANES)


@njit(cache=True)
def _above(places: NDArray[np.int32], place: Any) -> Any:
    """How many places are better."""
    better = np.int32(0)
    for i in range(len(places)):
        better = np.int32(better + np.int32(places[i] < place))
    return better
