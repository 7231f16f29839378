"""Overlap of recipients: how far two messages reach the same users."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, read_off


def measure(
    cascades: CascadeSet, *, same_source: bool = False, max_pairs: int = 100_000, rng: np.random.Generator
) -> Reading:
    """Mean Jaccard index |A ∩ B| / |A ∪ B| of the recipients (the source left out) of two cascades, 0 … 1.

    Parameters
    ----------
    same_source : compare only cascades of one source.
    max_pairs : where there are more pairs of cascades, so many are drawn with replacement.

    Pairs without any recipient do not count; NaN where there are none left.
    """
    key = seeding.kernel_key(rng)

    def statistic(part: CascadeSet) -> float:
        groups = part.sources if same_source else np.zeros(len(part), np.int32)
        order = np.argsort(groups, kind="stable")
        sizes = np.unique(groups, return_counts=True)[1]
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        until = np.cumsum(sizes * (sizes - 1) // 2).astype(np.int64)
        state = np.empty(4, np.uint64)
        seeding.start(state, key, 0)
        return float(_mean_jaccard(part.offsets, part.users, part.n_users, order, bounds, until, max_pairs, state))

    return read_off(cascades, statistic)


@njit(cache=True)
def _mean_jaccard(
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    n_users: int,
    order: NDArray[np.int64],
    bounds: NDArray[np.int64],
    until: NDArray[np.int64],
    max_pairs: int,
    state: NDArray[np.uint64],
) -> float:
    """`order` lists the cascades by group, group g at bounds[g]:bounds[g + 1]; `until` counts pairs of groups 0 … g."""
    available = until[-1] if len(until) else 0
    exact = available <= max_pairs
    stamps = np.full(n_users, -1, np.int64)
    total, counted = 0.0, 0
    for draw in range(available if exact else max_pairs):
        pair = draw if exact else min(np.int64(seeding.uniform(state) * available), available - 1)
        group, beyond = 0, len(until)  # the group whose pairs end first beyond this one, by bisection
        while group < beyond:
            middle = (group + beyond) // 2
            if until[middle] <= pair:
                group = middle + 1
            else:
                beyond = middle
        size = bounds[group + 1] - bounds[group]
        rest = until[group] - 1 - pair  # pairs are numbered backwards within a group: row r has r pairs
        row = np.int64((1.0 + math.sqrt(8.0 * rest + 1.0)) / 2.0)
        while row * (row - 1) // 2 > rest:
            row -= 1
        while row * (row + 1) // 2 <= rest:
            row += 1
        column = rest - row * (row - 1) // 2
        a, b = order[bounds[group] + size - 1 - row], order[bounds[group] + size - 1 - column]
        for entry in range(offsets[a] + 1, offsets[a + 1]):
            stamps[users[entry]] = draw
        shared = 0
        for entry in range(offsets[b] + 1, offsets[b + 1]):
            shared += stamps[users[entry]] == draw
        union = offsets[a + 1] - offsets[a] + offsets[b + 1] - offsets[b] - 2 - shared
        if union:
            total += shared / union
            counted += 1
    return total / counted if counted else math.nan
