"""Entropy of the sources: how many users messages start from."""

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, entropy, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """Plug-in entropy of the distribution of sources, in bits."""
    return read_off(cascades, lambda part: entropy(np.bincount(part.sources)))
