"""An index by which all pairs of users that occur together are met user by user, in O(entries) memory."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet


class PairIndex(NamedTuple):
    """Entries of a cascade set, by user and by cascade; users are ranked by falling frequency.

    A named tuple, since compiled functions take those as they are.

    With the cascades' entries sorted by rank, the partners of user r that are more frequent than r stand before
    r in each of its cascades. So each pair is met once, at its rarer user, and the counters in use are few.

    Attributes
    ----------
    users : int32, shape (active,). User of each rank; users that never occur have no rank.
    first : int64, shape (active + 1,). Entries of rank r: ``first[r]:first[r + 1]`` of `slots` and `cascades`.
    slots : int64, shape (entries,). Where the entry stands in `packed`.
    cascades : int32, shape (entries,). Cascade of the entry.
    offsets : int64, shape (m + 1,). Cascade c: ``offsets[c]:offsets[c + 1]`` of `packed`.
    packed : uint32 or uint64, shape (entries,), ascending within each cascade. Rank and, in the lower `shift` bits,
        position in the cascade: one word, and a short one where both fit it, since reading lists of cascades in random
        order is what counting many users waits for.
    shift : bits that hold any position.
    """

    users: NDArray[np.int32]
    first: NDArray[np.int64]
    slots: NDArray[np.int64]
    cascades: NDArray[np.int32]
    offsets: NDArray[np.int64]
    packed: NDArray[Any]
    shift: int

    @property
    def max_support(self) -> int:
        """An upper bound of the number of cascades that two users share: the second largest frequency."""
        return int(self.first[2] - self.first[1]) if len(self.users) > 1 else 0


def pair_index(cascades: CascadeSet) -> PairIndex:
    """Index of a cascade set; ties in frequency are broken by user id. O(entries + users)."""
    frequency = np.bincount(cascades.users, minlength=cascades.n_users)
    users = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)].astype(np.int32)
    first = np.concatenate([[0], np.cumsum(frequency[users])]).astype(np.int64)
    shift = max(int(cascades.lengths.max(initial=0)) - 1, 0).bit_length()
    packed = np.empty(len(cascades.users), np.uint32 if len(users).bit_length() + shift <= 32 else np.uint64)
    slots, owners = _sort_entries(cascades.n_users, cascades.offsets, cascades.users, users, first, packed, shift)
    return PairIndex(users, first, slots, owners, cascades.offsets, packed, shift)


@njit(cache=True, nogil=True)
def unpack(index: PairIndex, slot: Any) -> tuple[Any, Any]:
    """Rank and position, both uint64, of the entry in a slot."""
    word, shift = np.uint64(index.packed[np.uint64(slot)]), np.uint64(index.shift)
    return word >> shift, word & ((np.uint64(1) << shift) - np.uint64(1))


@njit(cache=True)
def _sort_entries(
    n_users: int,
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    ranked: NDArray[np.int32],
    first: NDArray[np.int64],
    packed: NDArray[Any],
    shift: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Fill `packed`, return `slots` and `cascades`: two counting sorts, by user and then by cascade."""
    rank_of = np.empty(n_users, np.int32)
    for rank in range(len(ranked)):
        rank_of[ranked[rank]] = rank
    cascade_of = np.empty(len(users), np.int32)
    found = np.empty(len(users), np.uint64)  # cascade · 2³² + position, one word: it is written in random order
    place = first[:-1].copy()
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            rank = rank_of[users[entry]]
            found[place[rank]] = (np.uint64(cascade) << np.uint64(32)) | np.uint64(entry - offsets[cascade])
            place[rank] += 1
    slots = np.empty(len(users), np.int64)
    fill = offsets[:-1].copy()
    for rank in range(len(ranked)):
        for entry in range(first[rank], first[rank + 1]):
            owner = np.int64(found[entry] >> np.uint64(32))
            cascade_of[entry] = owner
            slot = fill[owner]
            fill[owner] = slot + 1
            slots[entry] = slot
            packed[slot] = (np.uint64(rank) << np.uint64(shift)) | (found[entry] & np.uint64(0xFFFFFFFF))
    return slots, cascade_of
