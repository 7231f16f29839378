"""Sums over the places of recipients in expectation over ties: what the measures at a cut are made of."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def expected_hits(ranks: RelevantRanks, kept: NDArray[np.int64]) -> NDArray[np.float64]:
    """Expected number of recipients among the first `kept` ranks of each cascade; shape (m,)."""
    return _hits(ranks.offsets, ranks.above, ranks.size, ranks.relevant, kept)


def expected_gain(ranks: RelevantRanks, weights: NDArray[np.float64], kept: NDArray[np.int64]) -> NDArray[np.float64]:
    """Expected sum of the weights of the recipients' ranks; shape (m,).

    Parameters
    ----------
    weights : weight of rank 1, 2, …; as long as the longest list.
    kept : ranks kept per cascade; recipients beyond add 0.
    """
    summed = np.concatenate([[0.0], np.cumsum(weights)])
    return _gain(ranks.offsets, ranks.above, ranks.size, ranks.relevant, kept, weights, summed)


def per_recipient(total: NDArray[np.float64], ranks: RelevantRanks) -> NDArray[np.float64]:
    """`total` over the number of recipients; NaN where there is none."""
    return np.divide(total, ranks.n_relevant, out=np.full(len(ranks), np.nan), where=ranks.n_relevant > 0)


def where_defined(values: NDArray[np.float64], ranks: RelevantRanks) -> NDArray[np.float64]:
    """`values`, NaN where a cascade has no recipient."""
    return np.where(ranks.n_relevant > 0, values, np.nan)


@njit(cache=True)
def _hits(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
) -> NDArray[np.float64]:
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            places = min(size[g], kept[cascade] - above[g])
            if places <= 0:
                break
            total[cascade] += relevant[g] if places == size[g] else relevant[g] * places / size[g]
    return total


@njit(cache=True)
def _gain(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
    weights: NDArray[np.float64],
    summed: NDArray[np.float64],
) -> NDArray[np.float64]:
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        gain = 0.0
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            if above[g] >= kept[cascade]:
                break
            if size[g] == 1:
                gain += weights[np.uint32(above[g])]
            else:
                places = min(size[g], kept[cascade] - above[g])
                gain += relevant[g] / size[g] * (summed[above[g] + places] - summed[above[g]])
        total[cascade] = gain
    return total
