"""Random numbers that belong to a cascade, whatever other cascades there are."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding


@njit(cache=True)
def random_places(key: np.uint64, index: NDArray[np.int64]) -> NDArray[np.float64]:
    """A random number in [0, 1) for each index, from the stream (key, index)."""
    state = np.empty(4, np.uint64)
    places = np.empty(len(index))
    for i in range(len(index)):
        seeding.start(state, key, index[i])
        places[i] = seeding.uniform(state)
    return places


@njit(cache=True)
def random_words(key: np.uint64, index: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Random words for the participations of each cascade, from the stream (key, index of the cascade).

    `offsets` has len(index) + 1 entries; the result has shape (offsets[-1],).
    """
    state = np.empty(4, np.uint64)
    words = np.empty(offsets[-1], np.uint64)
    for row in range(len(index)):
        seeding.start(state, key, index[row])
        for entry in range(offsets[row], offsets[row + 1]):
            words[entry] = seeding.next_word(state)
    return words


def random_matrix(key: np.uint64, index: NDArray[np.int64], width: int) -> NDArray[np.float64]:
    """Random numbers in [0, 1), shape (len(index), width); row i is from the stream (key, index[i])."""
    words = random_words(key, index, np.arange(len(index) + 1, dtype=np.int64) * width)
    return (words >> np.uint64(11)).reshape(-1, width) * 2.0**-53
