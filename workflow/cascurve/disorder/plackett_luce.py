"""Dispersion under the Plackett–Luce model: how unsure the model is of who comes next among those who do come."""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.reading import Reading, read_off

ROUNDS = 200
TOLERANCE = 1e-6


def measure(cascades: CascadeSet, *, prior: float = 1.0, rng: np.random.Generator) -> Reading:
    """Cross-entropy of the cascades' orders under the fitted model over that of chance, 0 … 1; 1 is chance.

    Each user has a strength; of the users of a cascade that are still to come, the next is picked in proportion to
    it. Strengths by the MM algorithm (Hunter 2004, Annals of Statistics 32, 384).

    Parameters
    ----------
    prior : > 0. Each user wins and loses so many comparisons with a user of strength 1: it keeps the strength of
        users that always (or never) come first finite.

    Fitted to the same cascades that it describes, so biased low for few of them. NaN where no cascade holds two users.
    """
    return read_off(cascades, lambda part: _relative_cross_entropy(part, prior))


def _relative_cross_entropy(cascades: CascadeSet, prior: float) -> float:
    chance = math.fsum(math.lgamma(length + 1) for length in cascades.lengths.tolist())
    if chance == 0:
        return math.nan
    strength = fit_strengths(cascades.offsets, cascades.users, cascades.n_users, prior)
    return float(_cross_entropy(cascades.offsets, cascades.users, strength)) / chance


@njit(cache=True)
def fit_strengths(
    offsets: NDArray[np.int64], users: NDArray[np.int32], n_users: int, prior: float
) -> NDArray[np.float64]:
    """Strengths, shape (n_users,), until no log strength moves by more than `TOLERANCE`."""
    wins = np.full(n_users, prior)
    for cascade in range(len(offsets) - 1):
        for entry in range(offsets[cascade], offsets[cascade + 1] - 1):  # the last one has no rival left
            wins[users[entry]] += 1.0
    strength = np.ones(n_users)
    longest = np.max(np.diff(offsets))
    remaining = np.empty(longest)
    for _ in range(ROUNDS):
        load = 2.0 * prior / (strength + 1.0)
        for cascade in range(len(offsets) - 1):
            first, last = offsets[cascade], offsets[cascade + 1]
            total = 0.0
            for entry in range(last - 1, first - 1, -1):
                total += strength[users[entry]]
                remaining[entry - first] = total
            inverse = 0.0
            for entry in range(first, last):
                if entry < last - 1:
                    inverse += 1.0 / remaining[entry - first]
                load[users[entry]] += inverse
        moved = 0.0
        for user in range(n_users):
            new = wins[user] / load[user]
            moved = max(moved, abs(math.log(new / strength[user])))
            strength[user] = new
        if moved < TOLERANCE:
            break
    return strength


@njit(cache=True)
def _cross_entropy(offsets: NDArray[np.int64], users: NDArray[np.int32], strength: NDArray[np.float64]) -> float:
    """−Σ log-probability of the orders, in nats."""
    nats = 0.0
    for cascade in range(len(offsets) - 1):
        total = 0.0
        for entry in range(offsets[cascade + 1] - 1, offsets[cascade] - 1, -1):
            total += strength[users[entry]]
            nats += math.log(total / strength[users[entry]])
    return nats
