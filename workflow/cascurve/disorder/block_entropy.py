"""Block entropy: how many different runs of users there are (the paper's eq. 3)."""

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, entropy, read_off
from cascurve.errors import ConfigError


def measure(cascades: CascadeSet, *, order: int = 2, rng: np.random.Generator) -> Reading:
    """H_n = −Σ p(x)·log2 p(x) over blocks x of `order` users in a row, in bits.

    Parameters
    ----------
    order : n >= 1, the length of the sliding window. Windows do not reach from one cascade into the next; cascades
        shorter than the window have none.
    """
    if order < 1:
        raise ConfigError("order", order, "a block length >= 1")
    return read_off(cascades, lambda part: entropy(block_counts(part, order)))


def block_counts(cascades: CascadeSet, order: int) -> NDArray[np.int64]:
    """How often each block of `order` users occurs; the order of the counts has no meaning."""
    total = len(cascades.users)
    room = np.repeat(cascades.offsets[1:], cascades.lengths) - np.arange(total)  # entries from here to the end
    starts = np.flatnonzero(room >= order)
    codes = cascades.users[starts].astype(np.int64)
    for step in range(1, order):
        # Renumber the blocks at every step: the code of a block of any length stays below total · n_users.
        _, codes = np.unique(codes, return_inverse=True)
        codes = codes * cascades.n_users + cascades.users[starts + step]
    return np.unique(codes, return_counts=True)[1].astype(np.int64)
