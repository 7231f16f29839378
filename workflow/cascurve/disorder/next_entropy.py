"""Entropy of the next user given the last: how far a first-order chain could tell what comes."""

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.disorder.block_entropy import block_counts
from cascurve.disorder.reading import Reading, entropy, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """H(next | last) in bits, plug-in, over all steps from a user to the next of the same cascade."""
    return read_off(cascades, _next_entropy)


def _next_entropy(cascades: CascadeSet) -> float:
    has_next = np.ones(len(cascades.users), dtype=bool)
    has_next[cascades.offsets[1:] - 1] = False
    last = np.bincount(cascades.users[has_next])
    return entropy(block_counts(cascades, 2)) - entropy(last)  # H(last, next) − H(last)
