"""Popularity: the same ranking for every query, by how often a user was reached."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph


@dataclass(frozen=True)
class Model:
    """Ranks users by the number of training cascades that reached them."""

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Count; neither `graph` nor `rng` is used."""
        return Fitted(receptions(train))


@dataclass(frozen=True)
class Fitted:
    """Counts: int64, shape (n_users,)."""

    counts: NDArray[np.int64]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """The counts, whatever the prefix."""
        return np.tile(self.counts.astype(np.float32), (len(prefixes), 1))


def receptions(cascades: CascadeSet) -> NDArray[np.int64]:
    """Number of cascades that reached each user, those of which it is the source not counted; shape (n_users,)."""
    received = np.ones(len(cascades.users), bool)
    received[cascades.offsets[:-1]] = False
    return np.bincount(cascades.users[received], minlength=cascades.n_users)
