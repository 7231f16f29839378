"""Where the disorder comes from: APCE by user and by position in the cascade."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_counts import NO_ROUND, all_partners, count_partners, counter, next_round, read_counter
from cascurve.disorder.pair_entropy import x_log_x
from cascurve.disorder.pair_index import PairIndex, pair_index, unpack


@dataclass(frozen=True)
class Contributions:
    """Plug-in APCE, taken apart: each comparison (two users in one cascade) counts half for either side.

    Attributes
    ----------
    share : float64, in bits. What each user or position adds; the sum is the APCE.
    mean : float64, in bits. Mean PCE of the comparisons that it takes part in; NaN where there are none.
    """

    share: NDArray[np.float64]
    mean: NDArray[np.float64]


def contributions(cascades: CascadeSet) -> tuple[Contributions, Contributions]:
    """By user, shape (n_users,), and by position (0 is the source), shape (longest cascade,)."""
    index = pair_index(cascades)
    sums, times, by_position, position_times = _contributions(
        counter(index), index, x_log_x(index.max_support), int(cascades.lengths.max(initial=0))
    )
    user_sums, user_times = np.zeros(cascades.n_users), np.zeros(cascades.n_users, np.int64)
    user_sums[index.users], user_times[index.users] = sums, times
    return _parts(user_sums, user_times), _parts(by_position, position_times)


def _parts(sums: NDArray[np.float64], times: NDArray[np.int64]) -> Contributions:
    with np.errstate(invalid="ignore"):
        return Contributions(sums / np.float64(times.sum()), sums / times)


@njit(cache=True)
def _contributions(
    counters: NDArray[Any], index: PairIndex, t: NDArray[np.float64], longest: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Σ PCE and number of comparisons, by rank and by position; each comparison is added on both sides."""
    sums, times = np.zeros(len(index.users)), np.zeros(len(index.users), np.int64)
    by_position, position_times = np.zeros(longest), np.zeros(longest, np.int64)
    seen = np.empty(len(counters) + 1, np.uint32)
    partners, now = all_partners(index), NO_ROUND
    for rank in range(len(index.users)):
        now = next_round(counters, rank, index, now)
        count_partners(counters, seen, 1, rank, index, partners, now)
        for entry in range(index.first[rank], index.first[rank + 1]):
            slot = index.slots[entry]
            _, own = unpack(index, slot)
            for other in range(index.offsets[index.cascades[entry]], slot):
                partner, theirs = unpack(index, other)
                n, a = read_counter(counters, partner, now)
                pce = (t[n] - t[a] - t[n - a]) / n
                for member in (np.uint64(rank), partner):
                    sums[member] += pce
                    times[member] += 1
                for position in (own, theirs):
                    by_position[position] += pce
                    position_times[position] += 1
    return sums, times, by_position, position_times
