"""Shortest path: the nearer in the network, the sooner; knows the links and no cascade."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph


@dataclass(frozen=True)
class Model:
    """Ranks users by the number of links from the nearest user of the prefix; those out of reach come last."""

    needs: ClassVar[tuple[str, ...]] = ("network",)

    def fit(self, train: CascadeSet, *, graph: Graph, rng: np.random.Generator) -> "Fitted":
        """Keep the network; neither `train` nor `rng` is used."""
        return Fitted(graph)


@dataclass(frozen=True)
class Fitted:
    """The network."""

    graph: Graph

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Minus the distance; n_users stands for infinity."""
        scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
        for query, prefix in enumerate(prefixes):
            scores[query] = -_distances(self.graph.indptr, self.graph.indices, prefix)
        return scores


@njit(cache=True)
def _distances(indptr: NDArray[np.int64], indices: NDArray[np.int32], prefix: NDArray[np.int32]) -> NDArray[np.int64]:
    """Links from the nearest user of the prefix to each user, by breadth-first search."""
    n_users = len(indptr) - 1
    distance, queue = np.full(n_users, n_users), np.empty(n_users, np.int64)
    distance[prefix] = 0
    queue[: len(prefix)] = prefix
    done, size = 0, len(prefix)
    while done < size:
        user = queue[done]
        done += 1
        for link in range(indptr[user], indptr[user + 1]):
            target = indices[link]
            if distance[target] == n_users:
                distance[target] = distance[user] + 1
                queue[size] = target
                size += 1
    return distance
