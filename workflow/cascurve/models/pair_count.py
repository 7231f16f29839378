"""Pair counts: who came after this user before, whoever began the cascade, then who is popular."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.frequency import lexicographic
from cascurve.models.popularity import receptions


@dataclass(frozen=True)
class Model:
    """Ranks users by the training cascades that reached them after a user of the prefix; ties by `popularity`."""

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Index the cascades by user; neither `graph` nor `rng` is used."""
        entries = np.argsort(train.users, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(train.users, minlength=train.n_users))])
        return Fitted(train, entries, first, receptions(train))


@dataclass(frozen=True)
class Fitted:
    """The training cascades; user v stands in their entries ``entries[first[v]:first[v + 1]]``; receptions by user."""

    train: CascadeSet
    entries: NDArray[np.int64]
    first: NDArray[np.int64]
    popularity: NDArray[np.int64]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Ranks as in `cascurve.models.frequency`; a cascade counts once for each user of the prefix before u."""
        ends = np.repeat(self.train.offsets[1:], self.train.lengths)
        scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
        for query, prefix in enumerate(prefixes):
            counts = _followers(prefix, self.entries, self.first, self.train.users, ends, prefixes.n_users)
            scores[query] = lexicographic(counts, self.popularity)
        return scores


@njit(cache=True)
def _followers(
    prefix: NDArray[np.int32],
    entries: NDArray[np.int64],
    first: NDArray[np.int64],
    users: NDArray[np.int32],
    ends: NDArray[np.int64],
    n_users: int,
) -> NDArray[np.int64]:
    """How often each user comes after a user of the prefix; `ends` says where an entry's cascade ends."""
    counts = np.zeros(n_users, np.int64)
    for user in prefix:
        for place in range(first[user], first[user + 1]):
            for entry in range(entries[place] + 1, ends[entries[place]]):
                counts[users[entry]] += 1
    return counts
