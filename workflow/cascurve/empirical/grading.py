"""Real data sets of a wanted difficulty: a subsample is changed, by a named method, until its APCE is the target."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.empirical import subgraph
from cascurve.empirical.subsample import Subsample
from cascurve.errors import CellError
from cascurve.formats.account import Step

Measure = Callable[[CascadeSet], float]
"""The difficulty of training cascades."""

LOOKED_AT = 17
"""Strengths that are looked at first, over the whole range of a method."""
HALVINGS = 12


@dataclass(frozen=True)
class Part:
    """Cascades of one length.

    Attributes
    ----------
    users, times : shape (m, L); times may be None.
    origin : shape (m,). Index of each cascade in the import.
    """

    users: NDArray[np.int32]
    times: NDArray[np.float64] | None
    origin: NDArray[np.int64]

    @classmethod
    def of(cls, cascades: CascadeSet, origin: NDArray[np.int64], length: int) -> "Part":
        """From cascades that all have the length."""
        times = None if cascades.times is None else cascades.times.reshape(-1, length)
        return cls(cascades.users.reshape(-1, length), times, origin)

    def take(self, rows: NDArray[np.bool_]) -> "Part":
        """Some of the cascades."""
        return Part(self.users[rows], None if self.times is None else self.times[rows], self.origin[rows])

    def cascades(self, n_users: int) -> CascadeSet:
        """As a set over `n_users` users."""
        rows, length = self.users.shape
        times = None if self.times is None else self.times.ravel()
        return CascadeSet(n_users, np.arange(rows + 1) * length, self.users.ravel(), times)


@dataclass(frozen=True)
class Sample:
    """Training and test cascades over users 0 … n_users - 1."""

    n_users: int
    train: Part
    test: Part


def reach(
    drawn: Subsample,
    change: Callable[[Sample, float], Sample],
    measure: Measure,
    *,
    strengths: tuple[float, float],
    target: float,
    tolerance: float,
    name: str,
) -> tuple[Subsample, dict[str, float]]:
    """Change a subsample until its training cascades have the wanted difficulty.

    Parameters
    ----------
    change : the method at a strength; difficulty need not rise with it, but the search is finer where it does.
    strengths : the range of strengths.
    tolerance : how far from the target the result may be.
    name : of the method, for the account.

    Returns
    -------
    The changed subsample, and ``grade_strength``, ``grade_target`` and ``grade_reached``.

    Raises
    ------
    CellError : the target is out of reach; the message says what is within.
    """
    length = drawn.dataset.train.users.size // max(len(drawn.dataset.train), 1)
    parts = (drawn.dataset.train, drawn.train_origin), (drawn.dataset.test, drawn.test_origin)
    sample = Sample(drawn.dataset.n_users, *(Part.of(*part, length) for part in parts))

    @cache
    def difficulty(strength: float) -> float:
        return measure(change(sample, strength).train.cascades(sample.n_users))

    found = {strength: difficulty(strength) for strength in _searched(difficulty, strengths, target)}
    known = {strength: value for strength, value in found.items() if np.isfinite(value)}
    best = min(known, key=lambda strength: (abs(known[strength] - target), abs(strength)), default=None)
    if best is None or abs(known[best] - target) > tolerance:
        within = f"{min(known.values()):.3f} to {max(known.values()):.3f}" if known else "nothing"
        raise CellError(f"difficulty {target:.3f} is out of reach: method {name} gives {within} here")
    facts = {"grade_strength": best, "grade_target": target, "grade_reached": known[best]}
    return _put_back(drawn, change(sample, best), f"graded by {name}, strength {best:.4f}"), facts


def _searched(value: Callable[[float], float], strengths: tuple[float, float], target: float) -> Iterator[float]:
    """Strengths worth a look: an even grid, then halvings of an interval over which the target is crossed."""
    grid = np.linspace(*strengths, LOOKED_AT).tolist()
    yield from grid
    crossings = (pair for pair in pairwise(grid) if (value(pair[0]) - target) * (value(pair[1]) - target) <= 0)
    low, high = next(crossings, (0.0, 0.0))
    for _ in range(HALVINGS if low < high else 0):
        middle = (low + high) / 2
        yield middle
        crossed = (value(low) - target) * (value(middle) - target) <= 0
        low, high = (low, middle) if crossed else (middle, high)


def _put_back(drawn: Subsample, sample: Sample, step: str) -> Subsample:
    """The subsample with other cascades; users that none of them has any more are gone, if none was idle before."""
    train, test = (part.cascades(sample.n_users) for part in (sample.train, sample.test))
    present = subgraph.users_of([train, test])
    before = subgraph.users_of([drawn.dataset.train, drawn.dataset.test])
    users = present if len(before) == drawn.dataset.n_users else np.arange(drawn.dataset.n_users, dtype=np.int32)
    graph = None if drawn.graph is None else subgraph.restrict_graph(drawn.graph, users)
    cascades = len(train) + len(test) - len(drawn.dataset.train) - len(drawn.dataset.test)
    entries = len(train.users) + len(test.users) - len(drawn.dataset.train.users) - len(drawn.dataset.test.users)
    links = 0 if graph is None or drawn.graph is None else graph.n_links - drawn.graph.n_links
    row = Step(step, cascades, len(present) - len(before), entries, links)
    return replace(
        drawn,
        dataset=DataSet(*(subgraph.restrict_cascades(part, users) for part in (train, test))),
        users=drawn.users[users],
        graph=graph,
        train_origin=sample.train.origin,
        test_origin=sample.test.origin,
        account=(*drawn.account, row),
    )
