"""Lempel–Ziv complexity: how well the cascades compress (Ziv & Lempel 1978, IEEE Trans. Inf. Theory 24, 530)."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """c·log2 c / n in bits per user: c phrases of the LZ78 parsing of all n entries.

    The cascades are parsed in stored order with one dictionary; a phrase ends with its cascade.
    """
    return read_off(cascades, _bits_per_user)


def _bits_per_user(cascades: CascadeSet) -> float:
    phrases = count_phrases(cascades.offsets, cascades.users)
    return phrases * math.log2(phrases) / len(cascades.users) if phrases else math.nan


@njit(cache=True)
def count_phrases(offsets: NDArray[np.int64], users: NDArray[np.int32]) -> int:
    """Phrases of the LZ78 parsing; a hash table holds the edges (node, user) -> node of the phrase tree."""
    bits = 4
    while (1 << bits) < 2 * len(users):
        bits += 1
    mask = np.uint64((1 << bits) - 1)
    keys = np.full(1 << bits, -1, np.int64)
    nodes = np.empty(1 << bits, np.int64)
    n_nodes = phrases = 0
    for cascade in range(len(offsets) - 1):
        node = 0
        for entry in range(offsets[cascade], offsets[cascade + 1]):
            key = (np.int64(node) << 32) | np.int64(users[entry])
            slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
            while keys[slot] >= 0 and keys[slot] != key:
                slot = (slot + np.uint64(1)) & mask
            if keys[slot] == key:
                node = nodes[slot]
                if entry == offsets[cascade + 1] - 1:
                    phrases += 1
            else:
                n_nodes += 1
                keys[slot], nodes[slot] = key, n_nodes
                phrases += 1
                node = 0
    return phrases
