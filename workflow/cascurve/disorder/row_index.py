"""An index by which all pairs of users that occur together are met row by row of an n × n matrix."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet


class RowIndex(NamedTuple):
    """Entries of a cascade set by user, each with those that come after it; users that occur are numbered afresh.

    A row of counters stays in the nearest cache while all cascades of its user are read: going cascade by cascade,
    which needs no index, takes several times as long.

    Attributes
    ----------
    ordered : uint16 or uint32, shape (entries,). Numbers of the users, in the cascades' own order.
    first : int64, shape (active + 1,). Entries of user u: ``first[u]:first[u + 1]`` of the next three.
    begins, ends : int64, shape (entries,). Those after the entry: ``ordered[begins:ends]``.
    cascades : int32, shape (entries,). Cascade of the entry.
    """

    ordered: NDArray[Any]
    first: NDArray[np.int64]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    cascades: NDArray[np.int32]

    @property
    def active(self) -> int:
        """Users that occur."""
        return len(self.first) - 1

    @property
    def max_support(self) -> int:
        """An upper bound of the number of cascades that two users share: the second largest frequency."""
        return int(np.partition(np.diff(self.first), -2)[-2]) if self.active > 1 else 0


def row_index(cascades: CascadeSet) -> RowIndex:
    """Index of a cascade set; users keep their order. O(entries + users)."""
    frequency = np.bincount(cascades.users, minlength=cascades.n_users)
    occurs = frequency > 0
    number = np.cumsum(occurs) - 1
    first = np.concatenate([[0], np.cumsum(frequency[occurs])]).astype(np.int64)
    dtype = np.uint16 if len(first) <= 2**16 else np.uint32
    ordered = number.astype(dtype)[cascades.users]
    return RowIndex(ordered, first, *_entries_by_user(cascades.offsets, ordered, first))


@njit(cache=True)
def _entries_by_user(
    offsets: NDArray[np.int64], ordered: NDArray[Any], first: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """`begins`, `ends`, `cascades` by a counting sort."""
    begins, ends = np.empty(len(ordered), np.int64), np.empty(len(ordered), np.int64)
    cascade_of = np.empty(len(ordered), np.int32)
    place = first[:-1].copy()
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            at = place[ordered[entry]]
            place[ordered[entry]] = at + 1
            begins[at], ends[at], cascade_of[at] = entry + 1, offsets[cascade + 1], cascade
    return begins, ends, cascade_of
