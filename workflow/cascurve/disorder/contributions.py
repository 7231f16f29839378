"""Where the disorder comes from: APCE by user and by position in the cascade."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_counts import count_partners, counter
from cascurve.disorder.pair_entropy import x_log_x
from cascurve.disorder.pair_index import PairIndex, pair_index


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
    touched = np.empty(len(counters) + 1, np.uint32)
    bits = np.uint64(counters.itemsize * 4)
    low = (np.uint64(1) << bits) - np.uint64(1)
    for rank in range(len(index.users)):
        n_touched = count_partners(counters, touched, rank, index)
        for entry in range(index.first[rank], index.first[rank + 1]):
            slot = index.slots[entry]
            own = np.int64(np.uint32(index.packed[slot]))
            for other in range(index.offsets[index.cascades[entry]], slot):
                partner = np.int64(index.packed[other] >> np.uint64(32))
                packed = np.uint64(counters[partner])
                n, a = np.int64(packed >> bits), np.int64(packed & low)
                pce = (t[n] - t[a] - t[n - a]) / n
                for member in (rank, partner):
                    sums[member] += pce
                    times[member] += 1
                for position in (own, np.int64(np.uint32(index.packed[other]))):
                    by_position[position] += pce
                    position_times[position] += 1
        for item in range(n_touched):
            counters[touched[item]] = 0
    return sums, times, by_position, position_times
