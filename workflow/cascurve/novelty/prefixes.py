"""Novelty under the next-user protocol: every true prefix is a query, and the target is who spread last."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.metrics.next_user import steps
from cascurve.novelty import predictions
from cascurve.novelty.recommendations import Recommendations
from cascurve.novelty.task import Task


@dataclass
class Prefixes:
    """Keeps the first k candidates of every prefix that is ranked, while something else scores the rankings.

    Attributes
    ----------
    test : the true cascades, whose prefixes must be ranked in the order of `cascurve.metrics.next_user.steps`.
    k, key, target : as in `predictions.recommendations`.
    """

    test: CascadeSet
    k: int
    key: np.uint64
    target: predictions.Target = "last"
    _lists: list[Recommendations] = field(default_factory=list)
    _ranked: list[NDArray[np.bool_]] = field(default_factory=list)

    def watch(self, rank: Callable[[CascadeSet], NDArray[Any]]) -> Callable[[CascadeSet], NDArray[Any]]:
        """`rank`, which from now on also leaves its first candidates here."""

        def watched(queries: CascadeSet) -> NDArray[Any]:
            scores = rank(queries)
            self._lists.append(predictions.recommendations(scores, queries, self.k, key=self.key, target=self.target))
            self._ranked.append(~np.isnan(scores).all(axis=1))
            return scores

        return watched

    def task(self, graph: Graph | None, train: CascadeSet) -> Task:
        """All lists as one task; a candidate is relevant if it is the user who came next."""
        lists = Recommendations.join(self._lists)
        _, truths, _ = steps(self.test)
        following = truths.users[1::2][np.concatenate(self._ranked)]
        return predictions.task(graph, lists, train, (lists.candidates == following[lists.list_of]).astype(np.float64))
