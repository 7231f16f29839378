"""The floor: a random ranking, which no model should fall below."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.streams import prefix_index
from cascurve.seeding import kernel_key, start, uniform


@dataclass(frozen=True)
class Model:
    """Random scores; the exact mean of its MAP is `cascurve.metrics.chance`."""

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Draw a key; neither `train` nor `graph` is used."""
        return Fitted(kernel_key(rng))


@dataclass(frozen=True)
class Fitted:
    """Scores uniform in [0, 1), one stream per query."""

    key: np.uint64

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Equal prefixes have equal scores, in whatever batch they stand."""
        return _scores(self.key, prefixes.n_users, prefixes.offsets, prefixes.users)


@njit(cache=True)
def _scores(key: Any, n_users: int, offsets: NDArray[np.int64], users: NDArray[np.int32]) -> NDArray[np.float32]:
    scores = np.empty((len(offsets) - 1, n_users), np.float32)
    state = np.empty(4, np.uint64)
    for prefix in range(len(offsets) - 1):
        start(state, key, prefix_index(users[offsets[prefix] : offsets[prefix + 1]]))
        for user in range(n_users):
            scores[prefix, user] = uniform(state)
    return scores
