"""Dispersion of the Mallows model (Mallows 1957): how far cascades stray from one common order."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """Dispersion φ, 0 … 1: a cascade has probability ∝ φ^(swaps from the common order); 1 is chance.

    The common order is that of the users' mean relative position (Borda), ties by user id; each cascade is taken
    as a Mallows draw over its own users. φ is of maximum likelihood given that order: the expected number of swaps
    (Fligner & Verducci 1986) equals the number found. NaN where no cascade holds two users.
    """
    return read_off(cascades, _dispersion)


def _dispersion(cascades: CascadeSet) -> float:
    lengths, times = np.unique(cascades.lengths, return_counts=True)
    most = float((times * lengths * (lengths - 1)).sum()) / 4  # expected under chance
    found = int(inversions(cascades.offsets, cascades.users, _common_order(cascades)))
    if most == 0:
        return math.nan
    if found >= most:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        expected = sum(t * expected_swaps(int(length), middle) for length, t in zip(lengths, times, strict=True))
        low, high = (middle, high) if expected < found else (low, middle)
    return high if found else 0.0


def expected_swaps(length: int, phi: float) -> float:
    """Expected Kendall distance of a Mallows draw of `length` users from the common order, for 0 <= φ < 1."""
    powers = phi ** np.arange(1, length + 1)
    return float(length * phi / (1 - phi) - (np.arange(1, length + 1) * powers / (1 - powers)).sum())


def _common_order(cascades: CascadeSet) -> NDArray[np.int64]:
    """Rank of each user by mean relative position; shape (n_users,)."""
    position = np.arange(len(cascades.users)) - np.repeat(cascades.offsets[:-1], cascades.lengths)
    relative = (position + 0.5) / np.repeat(cascades.lengths, cascades.lengths)
    sums = np.bincount(cascades.users, weights=relative, minlength=cascades.n_users)
    times = np.bincount(cascades.users, minlength=cascades.n_users)
    rank = np.empty(cascades.n_users, np.int64)
    rank[np.argsort(sums / np.maximum(times, 1), kind="stable")] = np.arange(cascades.n_users)
    return rank


@njit(cache=True)
def inversions(offsets: NDArray[np.int64], users: NDArray[np.int32], rank: NDArray[np.int64]) -> int:
    """Pairs of a cascade that stand against the order of `rank`, over all cascades; a Fenwick tree over ranks."""
    size = len(rank)
    tree = np.zeros(size + 1, np.int64)
    total = 0
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            node = rank[users[entry]] + 1
            total += entry - offsets[cascade]
            while node:  # less those that came before and rank lower
                total -= tree[node]
                node -= node & -node
            node = rank[users[entry]] + 1
            while node <= size:
                tree[node] += 1
                node += node & -node
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            node = rank[users[entry]] + 1
            while node <= size:
                tree[node] = 0
                node += node & -node
    return total
