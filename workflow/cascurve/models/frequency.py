"""Per-source frequency: who was reached before by the same source, then who is popular.

The plainest memory of the training set. It beat trained embeddings in most synthetic regimes, so that a model's
score is worth what it adds to this one's.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.popularity import receptions


@dataclass(frozen=True)
class Model:
    """Ranks users by the number of the source's training cascades that reached them; ties by `popularity`."""

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Count; neither `graph` nor `rng` is used."""
        return Fitted(train, receptions(train))


@dataclass(frozen=True)
class Fitted:
    """The training cascades, and how often each user was reached in all of them (int64, shape (n_users,))."""

    train: CascadeSet
    popularity: NDArray[np.int64]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Ranks of (count under the source, popularity) in lexicographic order; users after the source do not matter.

        Scores are ranks 0, 1, … with equal pairs on equal ranks: exact in float32 where a weighted sum would not be.
        """
        sources, query = np.unique(prefixes.sources, return_inverse=True)
        by_source = np.array([self._ranks(source) for source in sources], np.float32)
        return by_source.reshape(-1, prefixes.n_users)[query]

    def _ranks(self, source: np.int32) -> NDArray[np.int64]:
        counts = receptions(self.train.take(self.train.sources == source))
        return lexicographic(counts, self.popularity)


def lexicographic(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Dense ranks 0, 1, … of the pairs (first, second), both >= 0; higher pairs have higher ranks."""
    keys = first * (second.max(initial=0) + 1) + second
    return np.unique(keys, return_inverse=True)[1]
