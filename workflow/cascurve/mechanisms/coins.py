"""One coin per link: which links of a node pass a message on to nodes that do not have it yet."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding

FACES = 2.0**32


def coins(probability: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Probabilities in the form that `flip` takes: in units of 2**-32, rounded up; 0 and 1 stay exact."""
    return np.ceil(probability * FACES).astype(np.uint64)


@njit(cache=True, inline="always")  # half the time of a call
def flip(
    indptr: NDArray[np.int64],
    indices: NDArray[np.uint32],
    coin: NDArray[np.uint64],
    reached: NDArray[np.uint8],
    mark: Any,
    node: Any,
    targets: NDArray[np.uint32],
    owners: NDArray[np.uint32],
    begin: Any,
    words: Any,
) -> Any:
    """Write the targets of `node` that its coins favour and that are not `reached` to ``targets[begin:end]``.

    Returns end and the stream after (see `seeding.step`); ``owners[begin:end]`` is `node`. With `mark`, the targets
    become reached. Without coins (an empty `coin`) all links pass. The arrays have one place more than there can be
    targets: every target is written, and kept by moving on, since a branch on a random bit costs more than the write.
    One word serves two links.
    """
    link, last = np.uint64(indptr[node]), np.uint64(indptr[node + np.uint32(1)])
    place = np.uint64(begin)
    word = np.uint64(0)
    while link < last:
        if len(coin):
            word, words = seeding.step(words)
        for half in range(2):
            if half == 1:
                link += np.uint64(1)
                if link == last:
                    break
                word >>= np.uint64(32)
            target = indices[link]
            hit = reached[target] == 0
            if len(coin):
                hit &= (word & np.uint64(0xFFFFFFFF)) < coin[link]
            if mark:
                reached[target] |= np.uint8(hit)
            targets[place], owners[place] = target, node
            place += np.uint64(hit)
        link += np.uint64(1)
    return place, words
