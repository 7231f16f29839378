"""`Features`: one sparse vector per user, of length one, so that a cosine is a sum of products."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.novelty.recommendations import Recommendations

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Features:
    """Unit vectors in compressed sparse rows; a user without any feature (or with zeros only) has an empty row.

    Attributes
    ----------
    n_features : length of the vectors.
    indptr : int64, shape (users + 1,).
    indices : int32, shape (entries,). Features of user u: ``indices[indptr[u]:indptr[u + 1]]``.
    values : float64, shape (entries,).
    """

    n_features: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats

    @classmethod
    def of(
        cls, n_users: int, users: NDArray[np.int32], features: NDArray[np.int32], weights: Floats | None = None
    ) -> "Features":
        """From triplets; without weights they are binary. Of a pair that stands twice the weights are added, or
        (binary) the second is left out.
        """
        n_features = int(features.max(initial=-1)) + 1
        pairs, place = np.unique(users.astype(np.int64) * max(n_features, 1) + features, return_inverse=True)
        values = np.ones(len(pairs)) if weights is None else np.bincount(place, weights, minlength=len(pairs))
        owner, feature = np.divmod(pairs, max(n_features, 1))
        norms = np.sqrt(np.bincount(owner, values**2, minlength=n_users))
        kept = values != 0
        owner, feature, values = owner[kept], feature[kept], values[kept]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n_users))]).astype(np.int64)
        return cls(n_features, indptr, feature.astype(np.int32), values / norms[owner])

    @classmethod
    def of_cascades(cls, cascades: CascadeSet) -> "Features":
        """Binary vectors: a user's features are the cascades that the user took part in."""
        number = np.repeat(np.arange(len(cascades), dtype=np.int32), cascades.lengths)
        return cls.of(cascades.n_users, cascades.users, number)


def distances_to_contacts(graph: Graph, features: Features, lists: Recommendations, *, skip: bool) -> Floats:
    """Mean of 1 − cos(candidate, w) over the out-neighbours w of the target; shape (links,).

    Parameters
    ----------
    features : of all users that occur, those that are not in the graph included.
    skip : True leaves out pairs of which one vector is zero (no pair left: 0). False counts them at distance 1.

    A target without out-neighbours gives 0. O(entries of the vectors), since Σ cos(v, w) = v · Σ w.
    """
    return _to_contacts(
        graph.indptr, graph.indices, lists.targets, lists.offsets, lists.candidates,
        features.indptr, features.indices, features.values, np.zeros(features.n_features), skip,
    )  # fmt: skip


def distances_to_earlier(features: Features, lists: Recommendations, *, skip: bool) -> Floats:
    """Sum of 1 − cos(candidate, earlier candidate) over those ranked above it in its list; shape (links,).

    `features` and `skip` as in `distances_to_contacts`.
    """
    return _to_earlier(
        lists.offsets, lists.candidates,
        features.indptr, features.indices, features.values, np.zeros(features.n_features), skip,
    )  # fmt: skip


@njit(cache=True)
def _to_contacts(
    graph_indptr: NDArray[np.int64],
    graph_indices: NDArray[np.int32],
    targets: NDArray[np.int32],
    offsets: NDArray[np.int64],
    candidates: NDArray[np.int32],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: Floats,
    total: Floats,
    skip: bool,
) -> Floats:
    found = np.zeros(len(candidates))
    for i in range(len(targets)):
        u = targets[i]
        if u >= len(graph_indptr) - 1:
            continue
        counted = 0
        for link in range(graph_indptr[u], graph_indptr[u + 1]):
            counted += _add(graph_indices[link], indptr, indices, values, total) or not skip
        for entry in range(offsets[i], offsets[i + 1]):
            v = candidates[entry]
            if counted and not (skip and indptr[v] == indptr[v + 1]):
                found[entry] = max(1.0 - _dot(v, indptr, indices, values, total) / counted, 0.0)
        for link in range(graph_indptr[u], graph_indptr[u + 1]):
            _clear(graph_indices[link], indptr, indices, total)
    return found


@njit(cache=True)
def _to_earlier(
    offsets: NDArray[np.int64],
    candidates: NDArray[np.int32],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: Floats,
    total: Floats,
    skip: bool,
) -> Floats:
    found = np.zeros(len(candidates))
    for i in range(len(offsets) - 1):
        counted = 0
        for entry in range(offsets[i], offsets[i + 1]):
            v = candidates[entry]
            if not (skip and indptr[v] == indptr[v + 1]):
                found[entry] = max(counted - _dot(v, indptr, indices, values, total), 0.0)
            counted += _add(v, indptr, indices, values, total) or not skip
        for entry in range(offsets[i], offsets[i + 1]):
            _clear(candidates[entry], indptr, indices, total)
    return found


@njit(cache=True)
def _add(user: Any, indptr: NDArray[np.int64], indices: NDArray[np.int32], values: Floats, total: Floats) -> bool:
    """Add the user's vector to `total`; returns whether it has one."""
    for entry in range(indptr[user], indptr[user + 1]):
        total[indices[entry]] += values[entry]
    return indptr[user] < indptr[user + 1]


@njit(cache=True)
def _dot(user: Any, indptr: NDArray[np.int64], indices: NDArray[np.int32], values: Floats, total: Floats) -> float:
    product = 0.0
    for entry in range(indptr[user], indptr[user + 1]):
        product += values[entry] * total[indices[entry]]
    return product


@njit(cache=True)
def _clear(user: Any, indptr: NDArray[np.int64], indices: NDArray[np.int32], total: Floats) -> None:
    for entry in range(indptr[user], indptr[user + 1]):
        total[indices[entry]] = 0.0
