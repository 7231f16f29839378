"""What one network's cascades have in common: their sources and the probabilities of its links."""

from typing import cast

import numpy as np

from cascurve import seeding


def stream(rng: np.random.Generator, name: str) -> np.random.Generator:
    """A generator for the part `name` of what `rng` stands for; `rng` is not advanced.

    It depends on the seed sequence of `rng` and on the name only. So whoever holds the environment's generator
    (training, test, another length, an oracle) gets the same sources and the same link probabilities.
    """
    above = cast(np.random.SeedSequence, rng.bit_generator.seed_seq)
    below = seeding.sequence(0, name).spawn_key
    sequence = np.random.SeedSequence(above.entropy, spawn_key=(*above.spawn_key, *below))
    return np.random.Generator(np.random.PCG64(sequence))
