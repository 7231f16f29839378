"""`Task`: all that a metric of novelty may look at, with what several of them share computed once."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError, DataError
from cascurve.graph import Graph
from cascurve.novelty import distances, features
from cascurve.novelty.features import Features
from cascurve.novelty.recommendations import Recommendations

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """Recommendations on a network.

    Users are numbered 0 … n_users - 1; those of the graph come first, the others are unknown to it: no links, no path.

    Attributes
    ----------
    graph : the training network; u -> v as RELISON reads it (u has contact v).
    lists : the recommendations.
    n_users : at least ``graph.n_nodes``.
    features : of all users, or None.
    popularity : shape (n_users,), how often each user was observed, or None: in-links. EFD, EPC and average popularity.
    observers : how many could have observed a user (EPC), or None: users with out-links.
    links_known : False where the graph stands for an unknown one; metrics of links are then NaN.
    relevance : shape (links,), from 0 to 1, whether the recommended link came true; None where nothing is known.
    """

    graph: Graph
    lists: Recommendations
    n_users: int = 0
    features: Features | None = None
    popularity: Floats | None = None
    observers: int | None = None
    relevance: Floats | None = None
    links_known: bool = True
    _known: dict[tuple[str, bool], Floats] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_users", max(self.n_users, self.graph.n_nodes))
        for name, users in (("target", self.lists.targets), ("candidate", self.lists.candidates)):
            if len(users) and (users.min() < 0 or users.max() >= self.n_users):
                raise DataError(f"{name} out of range: users run from 0 to {self.n_users - 1}")
        for name, values, wanted in (
            ("popularity", self.popularity, self.n_users),
            ("relevance", self.relevance, len(self.lists.candidates)),
        ):
            if values is not None and values.shape != (wanted,):
                raise DataError(f"expected {name} of shape ({wanted},), found {values.shape}")
        if self.features is not None and len(self.features.indptr) != self.n_users + 1:
            raise DataError(f"expected features of {self.n_users} users, found {len(self.features.indptr) - 1}")

    @cached_property
    def in_degrees(self) -> Floats:
        """In-links of every user, shape (n_users,)."""
        return self._padded(self.graph.in_degrees)

    @cached_property
    def linkers(self) -> int:
        """Users with at least one out-link."""
        return int((self.graph.out_degrees > 0).sum())

    @cached_property
    def observed(self) -> tuple[Floats, int]:
        """(how often each user was observed, how many could have observed one)."""
        counts = self.in_degrees if self.popularity is None else self.popularity
        return counts, self.linkers if self.observers is None else self.observers

    @cached_property
    def distances(self) -> NDArray[np.int32]:
        """Hops from target to candidate, -1 where there is no path; shape (links,)."""
        return distances.distances(self.graph, self.lists.targets[self.lists.list_of], self.lists.candidates)

    def distances_to_contacts(self, *, skip: bool) -> Floats:
        """As `features.distances_to_contacts`."""
        if ("contacts", skip) not in self._known:
            made = features.distances_to_contacts(self.graph, self._features(), self.lists, skip=skip)
            self._known["contacts", skip] = made
        return self._known["contacts", skip]

    def distances_to_earlier(self, *, skip: bool) -> Floats:
        """As `features.distances_to_earlier`."""
        if ("earlier", skip) not in self._known:
            made = features.distances_to_earlier(self._features(), self.lists, skip=skip)
            self._known["earlier", skip] = made
        return self._known["earlier", skip]

    def counts(self, k: int | None) -> NDArray[np.int64]:
        """How often each user is among the first k of a list; shape (n_users,)."""
        return np.bincount(self.lists.candidates[self.lists.within(k)], minlength=self.n_users)

    def _features(self) -> Features:
        if self.features is None:
            raise ConfigError(
                "features", None, "features of the users, which this metric compares", "give them with --features"
            )
        return self.features

    def _padded(self, of_nodes: NDArray[np.int64]) -> Floats:
        padded = np.zeros(self.n_users)
        padded[: len(of_nodes)] = of_nodes
        return padded
