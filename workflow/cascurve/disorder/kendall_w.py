"""Kendall's coefficient of concordance, for cascades that hold different users."""

import math

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, read_off


def measure(cascades: CascadeSet, *, rng: np.random.Generator) -> Reading:
    """Share of the variance of users' positions that lies between users, 0 … 1; 1 is a fixed order.

    Positions are centred and scaled by the cascade's length. For complete rankings this is Kendall's W (Kendall &
    Babington Smith 1939). Users seen once are left out, since they would agree with themselves; the rest still do
    in part: chance is about (users − 1)/(entries − 1), not 0.
    """
    return read_off(cascades, _concordance)


def _concordance(cascades: CascadeSet) -> float:
    lengths = np.repeat(cascades.lengths, cascades.lengths)
    position = np.arange(len(cascades.users)) - np.repeat(cascades.offsets[:-1], cascades.lengths)
    score = (position - (lengths - 1) / 2) / lengths
    times = np.bincount(cascades.users)
    known = times[cascades.users] >= 2
    sums = np.bincount(cascades.users[known], weights=score[known], minlength=len(times))
    total = math.fsum((score[known] ** 2).tolist())
    return math.fsum((sums**2 / np.maximum(times, 1)).tolist()) / total if total else math.nan
