"""Grading by order: recipients swap places, towards chance or towards the order that the cascades agree on most."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cascurve.empirical.grading import Measure, Part, Sample
from cascurve.empirical.places import random_matrix

STRENGTHS = (-1.0, 1.0)


def grade(sample: Sample, strength: float, *, measure: Measure, key: np.uint64) -> Sample:
    """Swap users; sources stay, and so do each cascade's users and the times of its places.

    Above 0, each place, from the last one to the first recipient's, swaps users with a random place up to it with
    probability `strength`: 1 is a uniform order (Fisher and Yates), so the disorder is greatest. Below 0, each
    recipient belongs with probability `-strength` to those that are put into one common order, that of their mean
    places in training; at -1 all cascades agree on them. At 0 nothing changes.
    """
    rank = _mean_places(sample) if strength < 0 else np.zeros(0)

    def changed(part: Part) -> Part:
        draws = random_matrix(key, part.origin, 2 * part.users.shape[1])
        if strength < 0:
            return replace(part, users=_sorted(part.users, draws, -strength, rank))
        return replace(part, users=_shuffled(part.users, draws, strength))

    return replace(sample, train=changed(sample.train), test=changed(sample.test))


def _shuffled(users: NDArray[np.int32], draws: NDArray[np.float64], strength: float) -> NDArray[np.int32]:
    mixed = users.copy()
    length = users.shape[1]
    for place in range(length - 1, 1, -1):
        rows = np.flatnonzero(draws[:, place] < strength)
        other = 1 + (draws[rows, length + place] * place).astype(np.int64)
        mixed[rows, place], mixed[rows, other] = mixed[rows, other], mixed[rows, place]
    return mixed


def _sorted(
    users: NDArray[np.int32], draws: NDArray[np.float64], strength: float, rank: NDArray[np.float64]
) -> NDArray[np.int32]:
    chosen = draws[:, : users.shape[1]] < strength
    chosen[:, 0] = False
    # Both name the chosen entries of a row first, by place and by rank; the others stay in their places.
    places = np.argsort(~chosen, axis=1, kind="stable")
    ranked = np.argsort(np.where(chosen, rank[users], np.inf), axis=1, kind="stable")
    mixed = users.copy()
    np.put_along_axis(mixed, places, np.take_along_axis(users, ranked, axis=1), axis=1)
    return mixed


def _mean_places(sample: Sample) -> NDArray[np.float64]:
    """A distinct value for each user: its mean place in training, ties by number; users that are in none come last."""
    users = sample.train.users.ravel()
    rows, length = sample.train.users.shape
    count = np.bincount(users, minlength=sample.n_users)
    total = np.bincount(users, np.tile(np.arange(length, dtype=np.float64), rows), sample.n_users)
    means = np.where(count > 0, total / np.maximum(count, 1), length)
    rank = np.empty(sample.n_users)
    rank[np.lexsort((np.arange(sample.n_users), means))] = np.arange(sample.n_users)
    return rank
