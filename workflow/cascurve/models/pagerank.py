"""Personalised PageRank: where a walk from the source likely is; knows the links and no cascade."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.graph import Graph


@dataclass(frozen=True)
class Model:
    """Ranks users by personalised PageRank (Page, Brin, Motwani & Winograd 1999, section 6).

    Parameters
    ----------
    damping : chance that the walk goes on along a random link; else, and where there is none, it starts again at a
        random user of the prefix.
    tolerance : the sum of changes at which the iteration ends.
    """

    needs: ClassVar[tuple[str, ...]] = ("network",)

    damping: float = 0.85
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        if not 0 <= self.damping < 1:
            raise ConfigError("damping", self.damping, "a chance of at least 0 and below 1")
        if not self.tolerance > 0:
            raise ConfigError("tolerance", self.tolerance, "a number above 0")

    def fit(self, train: CascadeSet, *, graph: Graph, rng: np.random.Generator) -> "Fitted":
        """Keep the network; neither `train` nor `rng` is used."""
        return Fitted(graph, self.damping, self.tolerance)


@dataclass(frozen=True)
class Fitted:
    """The network, and the parameters of the walk."""

    graph: Graph
    damping: float
    tolerance: float

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Share of its time that the walk spends at each user."""
        scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
        for query, prefix in enumerate(prefixes):
            scores[query] = _walk(self.graph.indptr, self.graph.indices, prefix, self.damping, self.tolerance)
        return scores


@njit(cache=True)
def _walk(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], prefix: NDArray[np.int32], damping: float, tolerance: float
) -> NDArray[np.float64]:
    """Power iteration; the change shrinks by the damping each time, so that it ends."""
    n_users = len(indptr) - 1
    home = np.zeros(n_users)
    home[prefix] = 1 / len(prefix)
    here, change = home.copy(), 1.0
    while change > tolerance:
        there, moved = np.zeros(n_users), 0.0
        for user in range(n_users):
            out = indptr[user + 1] - indptr[user]
            if out and here[user] > 0:
                moved += damping * here[user]
                for link in range(indptr[user], indptr[user + 1]):
                    there[indices[link]] += damping * here[user] / out
        there += (1 - moved) * home
        change = np.abs(there - here).sum()
        here = there
    return here
