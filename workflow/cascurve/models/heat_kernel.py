"""Embeddings by the heat-diffusion kernel: what CDK, PAE and IAE share (Bourigault et al. 2014).

A source s heats a user u the more, the nearer u lies: K(t, s, u) = (4πt)^(-d/2) exp(-‖z_s - z_u‖² / 4t), so that
at any time t the ranking is by ascending distance. The points are moved until users reached early lie nearer to
the source than users reached later or never: for a source s, i reached before j, or j never reached,

    loss(s, i, j) = max(0, margin + D(s, i) - D(s, j)),   D = ‖·‖² or ‖·‖.

The models differ only in which points stand for which user, which a `Layout` says.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.models.early_stopping import keep_best, mean_average_precision, part
from cascurve.models.squared_distance import LANES, squared_distance
from cascurve.seeding import below, kernel_key, start, uniform


@dataclass(frozen=True)
class Layout:
    """Which rows of the matrix of points stand for whom.

    Attributes
    ----------
    n_points : rows of the matrix.
    sender : int64, shape (n_users,). Row of each user as a source; -1 = training says nothing about it.
    receivers : int64, shape (n_users,). Seen from source s, user u stands in row ``receivers[s] + u``.
    apart : whether no two sources share a row, so that cascades of one source move no row of another's.
    """

    n_points: int
    sender: NDArray[np.int64]
    receivers: NDArray[np.int64]
    apart: bool = False


@dataclass(frozen=True)
class Training:
    """How points are fitted; the parameters are described in `cascurve.models.cdk`.

    ``position_weight`` "inverse" weighs a triplet by 1/position of i (1 for the first recipient).
    """

    dimension: int
    distance: Literal["squared", "plain"]
    margin: float
    learning_rate: float
    updates: int
    pairs: int
    negatives: float | None
    spread: float
    position_weight: Literal["none", "inverse"] = "none"
    anchor: Literal["source", "earlier"] = "source"
    clip: float | None = None
    shards: int = 1
    rounds: int = 10
    held_out: float = 0.0
    checks: int = 20
    patience: int = 5

    def __post_init__(self) -> None:
        for key in ("dimension", "pairs", "shards", "rounds", "checks", "patience"):
            if getattr(self, key) < 1:
                raise ConfigError(key, getattr(self, key), "an integer >= 1")
        for key in ("updates", "margin", "learning_rate", "spread"):
            if not getattr(self, key) >= 0:
                raise ConfigError(key, getattr(self, key), "a number >= 0")
        if self.clip is not None and not self.clip > 0:
            raise ConfigError("clip", self.clip, "a number > 0, or null")
        if self.negatives is not None and not 0 <= self.negatives <= 1:
            raise ConfigError("negatives", self.negatives, "a share between 0 and 1, or null")
        if not 0 <= self.held_out < 1:
            raise ConfigError("held_out", self.held_out, "a share of at least 0 and below 1")


@dataclass(frozen=True)
class Embedding:
    """Fitted points.

    Attributes
    ----------
    points : float32, shape (n_points, d); d is the dimension, filled up with zeros to a multiple of `LANES`.
    layout : what the rows mean.
    begun : int64, shape (n_users,). Training cascades of each source.
    checked : MAP on the held-out cascades, at each check.
    unknown : float32, shape (n_users,). Scores for a prefix of which training says nothing; None: the mean scores of
        the training cascades' sources.
    """

    points: NDArray[np.float32]
    layout: Layout
    begun: NDArray[np.int64]
    checked: NDArray[np.float64]
    unknown: NDArray[np.float32] | None = None

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Minus the squared distance from the source; with several users in a prefix, from the nearest of them."""
        layout = self.layout
        scores = _scores(self.points, layout.sender, layout.receivers, prefixes.offsets, prefixes.users)
        known = np.logical_or.reduceat(layout.sender[prefixes.users] >= 0, prefixes.offsets[:-1])
        if not known.all():
            scores[~known] = self._average if self.unknown is None else self.unknown
        return scores

    @cached_property
    def _average(self) -> NDArray[np.float32]:
        return _mean_scores(self.points, self.layout.sender, self.layout.receivers, self.begun)


def fit(
    train: CascadeSet, layout_of: Callable[[CascadeSet], Layout], training: Training, rng: np.random.Generator
) -> Embedding:
    """Fit points by stochastic gradient descent, one triplet a step, strictly in sequence.

    Each epoch visits the cascades in a new random order, and in each cascade each recipient i in turn with
    `pairs` partners j: a user never reached with probability `negatives`, else a later recipient, uniform in either
    group. The learning rate falls linearly to 0 over `updates` triplets, after which the fit ends, also in mid-epoch.

    Where sources are `apart`, all this holds for each of them, with its own cascades and its share of the updates.

    With `held_out` a share of the cascades is held out, and MAP on them is measured `checks` times (with shards,
    whenever these meet). The points of the highest MAP are kept; after `patience` checks without a higher one training
    ends.

    Points are float32: half the memory of float64, and twice the numbers per instruction.
    """
    held, pool = part(train, training.held_out, rng)
    layout = layout_of(pool)
    points = np.zeros((layout.n_points, -(-training.dimension // LANES) * LANES), np.float32)
    spread = training.spread if training.clip is None else min(training.spread, training.clip)
    points[:, : training.dimension] = rng.uniform(-spread, spread, (layout.n_points, training.dimension))
    begun = np.bincount(pool.sources, minlength=train.n_users)
    turns = training.rounds if training.shards > 1 and not layout.apart else training.checks if len(held) else 1
    moves = _move(points, layout, pool, training, kernel_key(rng), turns)
    if not len(held):
        for _ in moves:
            pass
        return Embedding(points, layout, begun, np.empty(0))

    def check() -> float:
        return mean_average_precision(Embedding(points, layout, begun, np.empty(0)).score, held)

    (best,), checked = keep_best((points,), (check() for _ in moves), training.patience)
    return Embedding(best, layout, begun, checked)


def _move(
    points: NDArray[np.float32], layout: Layout, train: CascadeSet, training: Training, key: np.uint64, turns: int
) -> Iterator[None]:
    """The descent, in place and in so many turns.

    Sources whose points are apart learn one after another, each in steps of its own: all their points together do not
    fit a processor's cache, those of one source do. None waits for another, so that threads may share them out.

    Shards are rounds of local SGD (Stich 2019): each moves copies of the points, and after the turn they meet. They are
    fixed by the study and not by the threads that run them, so that the result is the same for any number of threads.
    """
    from numba import config

    positions = np.arange(1, train.lengths.max(initial=1) + 1)
    weights = 1 / positions if training.position_weight == "inverse" else np.ones(len(positions))
    parts = _parts(layout, train, training.shards)
    steps = _steps(parts, training.updates, turns)
    meet = len(parts) > 1 and not layout.apart
    for turn in range(turns):
        copies = [points.copy() if meet else points for _ in parts]

        def work(part: int, turn: int = turn, copies: list[NDArray[np.float32]] = copies) -> None:
            stream = key if steps.size == 1 else substream(key, turn, part)
            _run(copies[part], layout, parts[part], weights, training, stream, turn, steps[:, part])

        with ThreadPoolExecutor(config.NUMBA_NUM_THREADS) as pool:
            list(pool.map(work, range(len(parts))))
        if meet:
            _meet(points, copies)
        yield


def _parts(layout: Layout, train: CascadeSet, shards: int) -> list[CascadeSet]:
    """The cascades that learn together: those of a source where sources are apart, else of a shard."""
    if layout.apart:
        order = np.argsort(train.sources, kind="stable")
        shares = np.split(order, np.flatnonzero(np.diff(train.sources[order])) + 1)
    else:
        shares = [np.arange(shard, len(train), shards) for shard in range(shards)]
    return [train.take(share) for share in shares if len(share)]


def _steps(parts: list[CascadeSet], updates: int, turns: int) -> NDArray[np.int64]:
    """Updates of each part in each turn, by its share of the recipients; shape (turns, parts), sum `updates`."""
    ends = np.cumsum([0] + [len(part.users) - len(part) for part in parts])
    marks = np.linspace(0, updates, turns + 1).astype(np.int64)
    bounds = marks[:-1, None] + ends / max(ends[-1], 1) * np.diff(marks)[:, None]
    return np.diff(bounds.astype(np.int64), axis=1)


def _run(
    points: NDArray[np.float32],
    layout: Layout,
    train: CascadeSet,
    weights: NDArray[np.float64],
    training: Training,
    key: np.uint64,
    turn: int,
    steps: NDArray[np.int64],
) -> None:
    """A turn, in place; `steps` are the updates of all turns."""
    descend(
        points,
        layout.sender,
        layout.receivers,
        train.offsets,
        train.users,
        weights,
        key,
        training.distance == "squared",
        training.margin,
        training.learning_rate,
        int(steps[turn]),
        training.pairs,
        -1.0 if training.negatives is None else training.negatives,
        int(steps[:turn].sum()),
        int(steps.sum()),
        np.inf if training.clip is None else training.clip,
        training.anchor == "source",
    )


def substream(key: np.uint64, turn: int, part: int) -> np.uint64:
    """The key of the stream of a turn's part."""
    return np.random.SeedSequence([int(key), turn, part]).generate_state(1, np.uint64)[0]


def _meet(points: NDArray[np.float32], copies: list[NDArray[np.float32]]) -> None:
    """Move each point by the mean over the copies in which it has moved; copies are added in their order."""
    total, count = np.zeros_like(points), np.zeros((len(points), 1), np.float32)
    for copy in copies:
        move = copy - points
        total += move
        count += move.any(axis=1, keepdims=True)
    points += total / np.maximum(count, 1)


@njit(cache=True, nogil=True)
def descend(
    points: NDArray[np.float32],
    sender: NDArray[np.int64],
    receivers: NDArray[np.int64],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    weights: NDArray[np.float64],
    key: Any,
    squared: bool,
    margin: float,
    learning_rate: float,
    updates: int,
    pairs: int,
    negatives: float,
    begun: int,
    total: int,
    clip: float,
    anchored: bool,
) -> None:
    """The SGD of `fit`, in place; `weights` by position of the nearer recipient, `negatives` < 0 for None, `clip` inf.

    The learning rate is that of `updates` steps after `begun` ones, of `total` in all.
    """
    n_users, cascades = len(sender), len(offsets) - 1
    if len(users) == cascades:
        return  # no recipient anywhere
    state = np.empty(4, np.uint64)
    start(state, key, 0)
    order = np.arange(cascades)
    reached = np.full(n_users, -1, np.int64)  # the last visit that reached a user
    visit, update = 0, 0
    while True:
        for place in range(cascades - 1, 0, -1):
            other = below(state, place + 1)
            order[place], order[other] = order[other], order[place]
        for cascade in order:
            first, end = offsets[cascade], offsets[cascade + 1]
            for entry in range(first, end):
                reached[users[entry]] = visit
            source, base = np.uint64(sender[users[first]]), receivers[users[first]]
            never = n_users - (end - first)
            for entry in range(first + 1, end):
                near = np.uint64(base + users[entry])
                weight = weights[entry - first - 1]
                later = end - 1 - entry
                share = never / max(later + never, 1) if negatives < 0 else negatives
                for _ in range(pairs):
                    if update == updates:
                        return
                    step = learning_rate * weight * (1 - (begun + update) / total)
                    update += 1
                    if later and (never == 0 or uniform(state) >= share):
                        partner = np.int64(users[entry + 1 + below(state, later)])
                    elif never == 0:
                        continue  # the last of all users: nobody is farther
                    else:
                        partner = below(state, n_users)
                        while reached[partner] == visit:
                            partner = below(state, n_users)
                    if not anchored:
                        other = users[first + below(state, entry - first)]
                        source, base = np.uint64(sender[other]), receivers[other]
                        near = np.uint64(base + users[entry])
                    far = np.uint64(base + partner)
                    if squared:
                        _descend_squared(points, source, near, far, np.float32(margin), np.float32(2 * step))
                    else:
                        _descend_plain(points, source, near, far, np.float32(margin), np.float32(step))
                    if clip < np.inf:
                        for row in (source, near, far):
                            for k in range(points.shape[1]):
                                points[row, k] = min(max(points[row, k], np.float32(-clip)), np.float32(clip))
            visit += 1


@njit(cache=True)
def _descend_squared(points: NDArray[np.float32], source: Any, near: Any, far: Any, margin: Any, step: Any) -> None:
    """One step on D = ‖·‖²; `step` is twice the learning rate, by the 2 in the gradient."""
    if margin + squared_distance(points, source, near) - squared_distance(points, source, far) <= 0:
        return
    for k in range(points.shape[1]):
        s, i, j = points[source, k], points[near, k], points[far, k]
        points[source, k] = s + step * (i - j)
        points[near, k] = i + step * (s - i)
        points[far, k] = j - step * (s - j)


@njit(cache=True)
def _descend_plain(points: NDArray[np.float32], source: Any, near: Any, far: Any, margin: Any, step: Any) -> None:
    """One step on D = ‖·‖, whose gradient is a unit vector (0 where the points coincide)."""
    d_near = np.sqrt(squared_distance(points, source, near))
    d_far = np.sqrt(squared_distance(points, source, far))
    if margin + d_near - d_far <= 0:
        return
    to_near = step / d_near if d_near > 0 else np.float32(0)
    to_far = step / d_far if d_far > 0 else np.float32(0)
    for k in range(points.shape[1]):
        s, i, j = points[source, k], points[near, k], points[far, k]
        toward, away = to_near * (s - i), to_far * (s - j)
        points[source, k] = s - (toward - away)
        points[near, k] = i + toward
        points[far, k] = j - away


@njit(cache=True)
def _scores(
    points: NDArray[np.float32],
    sender: NDArray[np.int64],
    receivers: NDArray[np.int64],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Per prefix minus the least squared distance from its known users."""
    n_users = len(sender)
    scores = np.full((len(offsets) - 1, n_users), -np.inf, np.float32)
    for prefix in range(len(offsets) - 1):
        for entry in range(offsets[prefix], offsets[prefix + 1]):
            row, base = sender[users[entry]], receivers[users[entry]]
            if row < 0:
                continue
            for user in range(n_users):
                score = -squared_distance(points, np.uint64(row), np.uint64(base + user))
                if not score <= scores[prefix, user]:  # a NaN of a diverged training stays visible
                    scores[prefix, user] = score
    return scores


@njit(cache=True)
def _mean_scores(
    points: NDArray[np.float32], sender: NDArray[np.int64], receivers: NDArray[np.int64], begun: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Mean over training cascades of minus the squared distance from their source; shape (n_users,)."""
    total = np.zeros(len(sender))
    for source in range(len(sender)):
        if begun[source]:
            row, base = np.uint64(sender[source]), receivers[source]
            for user in range(len(sender)):
                total[user] -= begun[source] * squared_distance(points, row, np.uint64(base + user))
    return (total / begun.sum()).astype(np.float32)
