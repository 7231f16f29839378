"""An index by which all pairs of users that occur together are met row by row of an n × n matrix, block by block.

A row of counters and a block of cascades stay in the near caches while the row is counted: cascade by cascade, which
needs no index, takes twice as long.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet

BLOCK = 2**15
"""Entries of a block (of one cascade, if that is longer): 64 kB of user numbers."""


class RowIndex(NamedTuple):
    """Cascades whose users are numbered 0 … active − 1; those that never occur have no number.

    Attributes
    ----------
    ordered : uint16 or uint32, shape (entries,). Numbers of the users, in the cascades' own order.
    offsets : int64, shape (m + 1,). Cascade c: ``offsets[c]:offsets[c + 1]`` of `ordered`.
    active : users that occur.
    max_support : an upper bound of the number of cascades that two users share: the second largest frequency.
    room : entries of the largest block.
    """

    ordered: NDArray[Any]
    offsets: NDArray[np.int64]
    active: int
    max_support: int
    room: int


def row_index(cascades: CascadeSet) -> RowIndex:
    """Index of a cascade set; users keep their order. O(entries + users)."""
    frequency = np.bincount(cascades.users, minlength=cascades.n_users)
    active = int(np.count_nonzero(frequency))
    second = int(np.partition(frequency, -2)[-2]) if len(frequency) > 1 else 0
    number = (np.cumsum(frequency > 0) - 1).astype(np.uint16 if active <= 2**16 else np.uint32)
    room = max(min(BLOCK, len(cascades.users)), int(cascades.lengths.max(initial=0)))
    return RowIndex(np.take(number, cascades.users), cascades.offsets, active, second, room)


@njit(cache=True, nogil=True)
def sort_block(
    index: RowIndex, start: int, first: NDArray[np.int64], begins: NDArray[np.int64], cascades: NDArray[np.int32]
) -> int:
    """Sort the entries of the cascades from `start` on by user, as many as make a block.

    Parameters
    ----------
    first : shape (active + 2,), filled: entries of user u are ``first[u]:first[u + 1]`` of the next two.
    begins, cascades : shape (room,), filled: where those after the entry begin in `ordered`, and its cascade.

    Returns the cascade after the block.
    """
    ordered, offsets = index.ordered, index.offsets
    stop = start + 1
    while stop < len(offsets) - 1 and offsets[stop + 1] - offsets[start] <= BLOCK:
        stop += 1
    first[:] = 0
    for entry in range(offsets[start], offsets[stop]):
        first[np.int64(ordered[entry]) + 2] += 1
    for user in range(2, len(first)):
        first[user] += first[user - 1]
    for cascade in range(start, stop):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            place = np.int64(ordered[entry]) + 1
            at = first[place]
            first[place] = at + 1
            begins[at], cascades[at] = entry + 1, cascade
    return stop
