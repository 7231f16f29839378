"""Slices of bytes, put end to end: the form in which Arrow keeps strings."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def gather(
    data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """(offsets, bytes) of the slices ``data[starts[i]:ends[i]]``, end to end."""
    offsets = np.zeros(len(starts) + 1, np.int32)
    for t in range(len(starts)):
        offsets[t + 1] = offsets[t] + (ends[t] - starts[t])
    joined = np.empty(offsets[-1], np.uint8)
    for t in range(len(starts)):
        place = offsets[t]
        for i in range(starts[t], ends[t]):
            joined[place] = data[i]
            place += 1
    return offsets, joined
