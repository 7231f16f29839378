"""Mean rank: the source's training cascades laid over each other, then who is popular.

Knows what `frequency` knows and the order besides: the most that can be said of users one by one from the
cascades of a source.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.frequency import lexicographic
from cascurve.models.popularity import receptions


@dataclass(frozen=True)
class Model:
    """Ranks users by their mean place in the source's training cascades; ties by `popularity`.

    In a cascade with r recipients the first has place 1; whoever is not reached has the middle of the places left,
    (r + N) / 2 with N - 1 candidates.
    """

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Keep the cascades; neither `graph` nor `rng` is used."""
        return Fitted(train, receptions(train))


@dataclass(frozen=True)
class Fitted:
    """The training cascades, and how often each user was reached in all of them (int64, shape (n_users,))."""

    train: CascadeSet
    popularity: NDArray[np.int64]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Ranks as in `cascurve.models.frequency`; users after the source do not matter."""
        sources, query = np.unique(prefixes.sources, return_inverse=True)
        by_source = np.array([self._ranks(source) for source in sources], np.float32)
        return by_source.reshape(-1, prefixes.n_users)[query]

    def _ranks(self, source: np.int32) -> NDArray[np.int64]:
        cascades = self.train.take(self.train.sources == source)
        recipients = np.repeat(cascades.lengths - 1, cascades.lengths)
        places = np.arange(len(cascades.users)) - np.repeat(cascades.offsets[:-1], cascades.lengths)
        gains = np.where(places > 0, recipients + self.train.n_users - 2 * places, 0)  # twice that over (r + N) / 2
        total = np.bincount(cascades.users, gains, self.train.n_users).astype(np.int64)
        return lexicographic(total, self.popularity)
