"""Grading by company: recipients are exchanged between cascades, so that who occurs with whom says less."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cascurve.empirical.grading import Measure, Part, Sample

STRENGTHS = (0.0, 1.0)


def grade(sample: Sample, strength: float, *, measure: Measure, key: np.uint64) -> Sample:
    """Exchange users between cascades of the same part, place by place.

    At each recipient's place the cascades form random pairs, and each pair exchanges its users of that place with
    probability `strength`, unless one of them would be in a cascade twice. How often a user occurs at a place does not
    change, nor do sources and times.
    """
    parts = ((sample.train, 0), (sample.test, 1))
    train, test = (replace(part, users=_mixed(part, strength, [int(key), number])) for part, number in parts)
    return replace(sample, train=train, test=test)


def _mixed(part: Part, strength: float, seed: list[int]) -> NDArray[np.int32]:
    rng = np.random.default_rng(seed)
    users = part.users.copy()
    half = len(users) // 2
    for place in range(1, users.shape[1]):
        order = rng.permutation(len(users))
        chosen = rng.random(half) < strength
        a, b = order[:half][chosen], order[half : 2 * half][chosen]
        twice = (users[a] == users[b, place, None]).any(1) | (users[b] == users[a, place, None]).any(1)
        a, b = a[~twice], b[~twice]
        users[a, place], users[b, place] = users[b, place], users[a, place]
    return users
