"""Rank-biased overlap of the predicted list and the true order (Webber, Moffat & Zobel 2010)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, p: float = 0.9) -> str:
    """Name of the output column."""
    return f"rbo[p={p:g}]"


def score(ranks: RelevantRanks, *, p: float = 0.9) -> NDArray[np.float64]:
    """Extrapolated overlap RBO_ext (their eq. 30) of the recipients in true order and the first R ranks; shape (m,).

    (1 - p)/p · sum over depth d ≤ R of A_d · p^d, plus A_R · p^R, where A_d is the share of common users of both
    lists' first d; the expectation over ties. NaN where there is no recipient.

    Parameters
    ----------
    p : probability of looking one rank deeper, 0 < p < 1.
    """
    if not 0 < p < 1:
        raise ConfigError("p", p, "a number between 0 and 1, both excluded")
    return _overlap(ranks.recipient_offsets, ranks.recipient_group, ranks.above, ranks.size, p)


@njit(cache=True)
def _overlap(
    offsets: NDArray[np.int64],
    group: NDArray[np.int32],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    p: float,
) -> NDArray[np.float64]:
    rbo = np.full(len(offsets) - 1, np.nan)
    longest = 0
    for cascade in range(len(rbo)):
        longest = max(longest, offsets[cascade + 1] - offsets[cascade])
    jump = np.empty(longest + 2)  # by depth: overlap that comes in at once,
    slope = np.empty(longest + 2)  # and change of what comes in at every further depth, where a tie is cut
    for cascade in range(len(rbo)):
        start = offsets[cascade]
        n = offsets[cascade + 1] - start
        if n == 0:
            continue
        jump[: n + 2] = 0.0
        slope[: n + 2] = 0.0
        for place in range(1, n + 1):
            g = group[start + place - 1]
            if g < 0 or above[g] >= n:
                continue
            depth = max(place, above[g] + 1)
            full = above[g] + size[g]
            jump[depth] += min(depth - above[g], size[g]) / size[g]
            if full > depth:
                slope[depth + 1] += 1 / size[g]
                slope[min(full, n) + 1] -= 1 / size[g]
        overlap, rise, weight, total = 0.0, 0.0, 1.0, 0.0
        for depth in range(1, n + 1):
            rise += slope[depth]
            overlap += jump[depth] + rise
            total += (1 - p) * weight * overlap / depth
            weight *= p
        rbo[cascade] = total + weight * overlap / n
    return rbo
