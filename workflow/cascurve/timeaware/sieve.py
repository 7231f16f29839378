"""`Sieve`: tells most names that are not in a set from those that may be, without a look into a large table.

Most predictions are of documents that nobody judged. A table of all judged names does not fit into the processor's
near memory; one bit for each of sixteen times as many places does.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.formats.interning import label_key
from cascurve.seeding import split_mix

PLACES_PER_NAME = 16


class Sieve:
    """The set of names ``data[starts[i]:ends[i]]``."""

    def __init__(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        words = 1 << max(4, int(PLACES_PER_NAME * len(starts) / 64).bit_length())
        self._bits = np.zeros(words, np.uint64)
        _set(self.hashes(data, starts, ends), self._bits)

    def hashes(self, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
        """A hash of each name; two names may have the same."""
        return _hashes(data, starts, ends)

    def passes(self, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """False where no name of the set has this hash."""
        return _passes(hashes, self._bits)


@njit(cache=True)
def _hashes(data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    found = np.empty(len(starts), np.uint64)
    for i in range(len(starts)):
        low, high = label_key(data, starts[i], ends[i] - starts[i])
        found[i] = split_mix(low ^ split_mix(high))
    return found


@njit(cache=True)
def _set(hashes: NDArray[np.uint64], bits: NDArray[np.uint64]) -> None:
    mask = np.uint64(len(bits) - 1)
    for value in hashes:
        bits[(value >> np.uint64(6)) & mask] |= np.uint64(1) << (value & np.uint64(63))


@njit(cache=True)
def _passes(hashes: NDArray[np.uint64], bits: NDArray[np.uint64]) -> NDArray[np.bool_]:
    mask = np.uint64(len(bits) - 1)
    found = np.empty(len(hashes), np.bool_)
    for i in range(len(hashes)):
        word = bits[(hashes[i] >> np.uint64(6)) & mask]
        found[i] = (word >> (hashes[i] & np.uint64(63))) & np.uint64(1) == np.uint64(1)
    return found
