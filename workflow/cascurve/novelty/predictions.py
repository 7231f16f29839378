"""A model's rankings as recommendations: the target is who spread last, the candidates are the users ranked first."""

from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.popularity import receptions
from cascurve.novelty.features import Features
from cascurve.novelty.recommendations import Recommendations
from cascurve.novelty.task import Task
from cascurve.seeding import GAMMA, split_mix

Target = Literal["source", "last"]
"""Whose contacts count: the source of the query, or the last user of its prefix. A query of one user has both."""


def recommendations(
    scores: NDArray[np.float32], queries: CascadeSet, k: int, *, key: np.uint64, target: Target = "last"
) -> Recommendations:
    """The first k candidates of each query; a query without candidates has no list.

    Parameters
    ----------
    scores : shape (len(queries), n_users), as models give them; NaN = no candidate.
    key : of the order among candidates with the same score: a random one for each source, the same for all models.
    target : whom the lists are made for.
    """
    last = queries.users[queries.offsets[1:] - 1]
    found, sizes = first_candidates(scores, queries.sources, k, key)
    kept = sizes > 0
    offsets = np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)
    candidates = found[np.arange(k) < sizes[:, None]]
    return Recommendations((queries.sources if target == "source" else last)[kept], offsets, candidates)


def task(graph: Graph | None, lists: Recommendations, train: CascadeSet, came_true: NDArray[np.float64]) -> Task:
    """Recommendations on the network that messages spread on.

    A user's features are the training cascades that it took part in, its popularity the number of those that reached
    it. `came_true` is the relevance of each link, shape (links,); see `relevance`.
    Without a network (None) metrics of links are NaN.
    """
    n_users = train.n_users
    known = graph or Graph.from_edges(n_users, [], [], directed=True)
    return Task(
        known,
        lists,
        n_users,
        Features.of_cascades(train),
        popularity=receptions(train).astype(np.float64),
        observers=len(train),
        relevance=came_true,
        links_known=graph is not None,
    )


def relevance(lists: Recommendations, test: CascadeSet) -> NDArray[np.float64]:
    """Share of the test cascades with a list's target as source that reached each candidate; shape (links,)."""
    cascades = np.bincount(test.sources, minlength=test.n_users)
    source = np.repeat(test.sources, test.lengths).astype(np.int64)
    pairs, counts = np.unique(source * test.n_users + test.users, return_counts=True)
    target = lists.targets[lists.list_of]
    links = target.astype(np.int64) * test.n_users + lists.candidates
    place = np.minimum(np.searchsorted(pairs, links), max(len(pairs) - 1, 0))
    hits = np.where(pairs[place] == links, counts[place], 0) if len(pairs) else np.zeros(len(links))
    return np.asarray(hits / np.maximum(cascades[target], 1), np.float64)


@njit(cache=True)
def first_candidates(
    scores: NDArray[np.float32], sources: NDArray[np.int32], k: Any, key: Any
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """(users with the k highest scores of each row, best first; how many there are); shapes (rows, k) and (rows,)."""
    found = np.full((len(scores), k), np.int32(-1))
    sizes = np.zeros(len(scores), np.int64)
    values, lots = np.empty(k, np.float32), np.empty(k, np.uint64)
    for row in range(len(scores)):
        start = split_mix(np.uint64(key) + GAMMA * np.uint64(sources[row] + 1))
        size = 0
        for user in range(scores.shape[1]):
            score = scores[row, user]
            if np.isnan(score) or (size == k and score < values[k - 1]):
                continue
            lot = split_mix(start + GAMMA * np.uint64(user + 1))
            place = size if size < k else k - 1
            if size == k and score == values[place] and lot >= lots[place]:
                continue
            while place > 0 and (values[place - 1] < score or (values[place - 1] == score and lots[place - 1] > lot)):
                values[place], lots[place] = values[place - 1], lots[place - 1]
                found[row, place] = found[row, place - 1]
                place -= 1
            values[place], lots[place], found[row, place] = score, lot, np.int32(user)
            size = min(size + 1, k)
        sizes[row] = size
    return found, sizes
