"""The SGD of the heat-kernel models: the same bits as a slow readable twin, and gradients that are gradients."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.models.heat_kernel import Layout, Training, _meet, _move, _steps, descend, fit, substream
from cascurve.models.squared_distance import LANES, squared_distance

Distance = Literal["squared", "plain"]
ONE_SPACE = Layout(9, np.arange(9), np.zeros(9, np.int64))
TRAIN = CascadeSet.of([[0, 1, 2, 3], [4, 0], [5], [0, 7, 1], list(range(9))], n_users=9)


def training(distance: Distance = "squared", updates: int = 300, negatives: float | None = None) -> Training:
    return Training(5, distance, 1.0, 0.05, updates, 2, negatives, 0.3)


class Stream:
    """The random numbers of a kernel's stream, one call at a time."""

    def __init__(self, key: int) -> None:
        self.state = np.empty(4, np.uint64)
        seeding.start(self.state, np.uint64(key), 0)

    def uniform(self) -> float:
        return seeding.uniform(self.state)

    def below(self, bound: int) -> int:
        return seeding.below(self.state, bound)


def triplets(
    train: CascadeSet, stream: Stream, pairs: int, negatives: float | None, anchor: str = "source"
) -> Iterator[tuple[int, int, int, int] | None]:
    """(anchor, i, position of i, j) without end; None where i has no partner."""
    order = list(range(len(train)))
    lists = [cascade.tolist() for cascade in train]
    while True:
        for place in range(len(order) - 1, 0, -1):
            other = stream.below(place + 1)
            order[place], order[other] = order[other], order[place]
        for source, *recipients in (lists[index] for index in order):
            never = set(range(train.n_users)) - {source, *recipients}
            for position, i in enumerate(recipients, start=1):
                later = recipients[position:]
                for _ in range(pairs):
                    share = negatives
                    if share is None:
                        share = len(never) / max(len(later) + len(never), 1)
                    if later and (not never or stream.uniform() >= share):
                        j = later[stream.below(len(later))]
                    elif not never:
                        yield None
                        continue
                    else:
                        while (j := stream.below(train.n_users)) not in never:
                            pass
                    before = [source, *recipients[: position - 1]]
                    yield source if anchor == "source" else before[stream.below(position)], i, position, j


def twin_distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> np.float32:
    lanes = np.zeros(LANES, np.float32)
    for block in ((a - b) ** 2).reshape(-1, LANES):
        lanes += block
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return lanes[0]


def twin(
    points: NDArray[np.float32],
    layout: Layout,
    train: CascadeSet,
    how: Training,
    key: int,
    updates: range | None = None,
) -> None:
    """The kernel in plain Python, a triplet at a time; all arithmetic in float32, steps rounded from float64.

    `updates` are those of a turn, of all `how.updates`.
    """
    stream = triplets(train, Stream(key), how.pairs, how.negatives, how.anchor)
    for update, triplet in zip(range(how.updates) if updates is None else updates, stream, strict=False):
        if triplet is None:
            continue
        source, i, position, j = triplet
        weight = 1 / position if how.position_weight == "inverse" else 1.0
        rate = how.learning_rate * weight * (1 - update / how.updates)
        s, n, f = layout.sender[source], layout.receivers[source] + i, layout.receivers[source] + j
        zs, zn, zf = (points[row].copy() for row in (s, n, f))
        near, far = twin_distance(zs, zn), twin_distance(zs, zf)
        if how.distance == "squared":
            if np.float32(how.margin) + near - far > 0:
                step = np.float32(2 * rate)
                points[s], points[n], points[f] = zs + step * (zn - zf), zn + step * (zs - zn), zf - step * (zs - zf)
        elif np.float32(how.margin) + np.sqrt(near) - np.sqrt(far) > 0:
            step = np.float32(rate)
            toward = step / np.sqrt(near) * (zs - zn)
            away = step / np.sqrt(far) * (zs - zf)
            points[s], points[n], points[f] = zs - (toward - away), zn + toward, zf - away
        if how.clip is not None:
            rows = [s, n, f]
            points[rows] = np.clip(points[rows], -np.float32(how.clip), np.float32(how.clip))


def run(points: NDArray[np.float32], layout: Layout, train: CascadeSet, how: Training, key: int) -> None:
    inverse = how.position_weight == "inverse"
    weights = np.array([1 / position if inverse else 1.0 for position in range(1, 10)])
    negatives = -1.0 if how.negatives is None else how.negatives
    squared = how.distance == "squared"
    arrays = points, layout.sender, layout.receivers, train.offsets, train.users, weights
    descend(
        *arrays,
        np.uint64(key),
        squared,
        how.margin,
        how.learning_rate,
        how.updates,
        how.pairs,
        negatives,
        0,
        how.updates,
        np.inf if how.clip is None else how.clip,
        how.anchor == "source",
    )


LAYOUTS = {
    "one space": ONE_SPACE,
    "two spaces": Layout(18, np.arange(9), np.full(9, 9)),
    "a space per source": Layout(90, np.arange(9), 9 + 9 * np.arange(9), apart=True),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("distance", ["squared", "plain"])
@pytest.mark.parametrize(
    "options",
    [{}, {"negatives": 0.6}, {"anchor": "earlier"}, {"clip": 0.2, "anchor": "earlier"}],
    ids=str,
)
def test_kernel_has_the_bits_of_its_twin(layout: Layout, distance: Distance, options: dict[str, Any]) -> None:
    how = replace(Training(16, distance, 1.0, 0.05, 300, 2, None, 0.3, "inverse"), **options)
    ours = np.random.default_rng(1).uniform(-0.3, 0.3, (layout.n_points, 16)).astype(np.float32)
    slow = ours.copy()
    run(ours, layout, TRAIN, how, key=11)
    twin(slow, layout, TRAIN, how, key=11)
    assert ours.tobytes() == slow.tobytes()


@njit
def distance_of(points: NDArray[np.float32], a: int, b: int) -> np.float32:
    return squared_distance(points, a, b)


@pytest.mark.parametrize("width", [8, 16, 24, 64, 104])
def test_distance_is_the_distance_with_the_bits_of_its_twin(width: int) -> None:
    points = np.random.default_rng(2).normal(size=(5, width)).astype(np.float32)
    for a in range(5):
        for b in range(5):
            exact = ((points[a].astype(float) - points[b]) ** 2).sum()
            assert distance_of(points, a, b) == pytest.approx(exact, rel=1e-6)
            assert np.float32(distance_of(points, a, b)).tobytes() == twin_distance(points[a], points[b]).tobytes()


def test_distance_takes_no_other_matrix() -> None:
    with pytest.raises(TypingError):
        distance_of(np.zeros((2, 8)), 0, 1)
    with pytest.raises(TypingError):
        distance_of(np.zeros((2, 16), np.float32)[:, ::2], 0, 1)


@pytest.mark.parametrize("distance", ["squared", "plain"])
def test_a_step_goes_down_the_gradient(distance: Distance) -> None:
    """One update on the only triplet possible, against finite differences of the loss in float64."""
    train = CascadeSet.of([[0, 1]], n_users=3)
    layout = Layout(3, np.arange(3), np.zeros(3, np.int64))
    before = np.random.default_rng(3).uniform(-0.3, 0.3, (3, 8)).astype(np.float32)
    after = before.copy()
    run(after, layout, train, Training(8, distance, 1.0, 1e-2, 1, 1, None, 0.3), key=1)

    def loss(flat: NDArray[np.float64]) -> float:
        s, i, j = flat.reshape(3, 8)
        near, far = np.sum((s - i) ** 2), np.sum((s - j) ** 2)
        return float(1 + near - far if distance == "squared" else 1 + np.sqrt(near) - np.sqrt(far))

    x, h = before.astype(float).ravel(), 1e-6
    gradient = [(loss(x + h * e) - loss(x - h * e)) / (2 * h) for e in np.eye(x.size)]
    np.testing.assert_allclose((before - after).ravel() / 1e-2, gradient, atol=1e-5)


def test_a_triplet_beyond_the_margin_is_at_rest() -> None:
    train = CascadeSet.of([[0, 1]], n_users=3)
    layout = Layout(3, np.arange(3), np.zeros(3, np.int64))
    points = np.zeros((3, 8), np.float32)
    points[2, 0] = 1.5
    moved = points.copy()
    run(moved, layout, train, Training(8, "squared", 1.0, 0.1, 50, 1, None, 0.3), key=1)
    np.testing.assert_array_equal(moved, points)
    run(moved, layout, train, Training(8, "squared", 3.0, 0.1, 50, 1, None, 0.3), key=1)
    assert (moved != points).any()


def test_points_that_coincide_do_not_break_the_plain_distance() -> None:
    points = np.zeros((9, 8), np.float32)
    run(points, ONE_SPACE, TRAIN, training("plain"), key=1)
    assert np.isfinite(points).all()


def test_clipped_points_stay_within_bounds() -> None:
    free, clipped = (
        fit(TRAIN, lambda _: ONE_SPACE, replace(training(), clip=clip), np.random.default_rng(4)).points
        for clip in (None, 0.25)
    )
    assert np.abs(free).max() > 0.3
    assert np.abs(clipped).max() == np.float32(0.25)


def test_partners_are_uniform_over_users_not_yet_reached() -> None:
    """By default whoever was reached after i, or never, is equally likely; i and those before are not drawn."""
    drawn = np.zeros((3, 6))
    stream = triplets(CascadeSet.of([[0, 1, 2]], n_users=6), Stream(5), 1, None)
    for _, triplet in zip(range(4000), stream, strict=False):
        assert triplet is not None
        drawn[triplet[1], triplet[3]] += 1
    np.testing.assert_allclose(drawn[1] / drawn[1].sum(), [0, 0, 0.25, 0.25, 0.25, 0.25], atol=0.04)
    np.testing.assert_allclose(drawn[2] / drawn[2].sum(), [0, 0, 0, 1 / 3, 1 / 3, 1 / 3], atol=0.05)


def test_score_is_minus_the_squared_distance_from_the_nearest_known_user() -> None:
    known = Layout(9, np.where(np.arange(9) == 8, -1, np.arange(9)), np.zeros(9, np.int64))
    fitted = fit(TRAIN, lambda _: known, training(), np.random.default_rng(4))
    z = fitted.points.astype(float)
    distances = ((z[:, None] - z[None]) ** 2).sum(axis=2)
    scores = fitted.score(CascadeSet.of([[3], [3, 8, 1], [8]], n_users=9))
    np.testing.assert_allclose(scores[0], -distances[3], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(scores[1], -distances[[3, 1]].min(axis=0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(scores[2], -distances[TRAIN.sources].mean(axis=0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dimension", 0),
        ("pairs", 0),
        ("updates", -1),
        ("learning_rate", -0.1),
        ("negatives", 1.5),
        ("margin", float("nan")),
        ("held_out", 1.0),
        ("patience", 0),
        ("clip", 0),
    ],
)
def test_parameters_out_of_range_are_named(key: str, value: float) -> None:
    parameters = vars(training()) | {key: value}
    with pytest.raises(ConfigError, match=key):
        Training(**parameters)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_parts_have_the_same_bits_on_any_number_of_threads(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    how = replace(training(updates=2000), shards=3, rounds=4)
    bits = set()
    for threads in (1, 2, 5):
        monkeypatch.setattr("numba.config.NUMBA_NUM_THREADS", threads)
        bits.add(fit(TRAIN, lambda _: layout, how, np.random.default_rng(4)).points.tobytes())
    assert len(bits) == 1
    other = fit(TRAIN, lambda _: layout, replace(how, shards=2), np.random.default_rng(4)).points.tobytes()
    assert (other in bits) == layout.apart  # where sources are apart they are the parts


@pytest.mark.parametrize("turns", [1, 3])
def test_sources_that_are_apart_learn_in_steps_of_their_own(turns: int) -> None:
    """Each as in a fit of its own cascades, by as many updates as it has of the recipients, in one turn or in more."""
    layout, how = LAYOUTS["a space per source"], training(updates=300)
    points = np.random.default_rng(4).uniform(-0.3, 0.3, (layout.n_points, 8)).astype(np.float32)
    expected = points.copy()
    for _ in _move(points, layout, TRAIN, how, np.uint64(7), turns):
        pass
    # Of 14 recipients source 0 has 13, in three cascades, source 4 has 1, and source 5 none.
    ends = [0, 278, 300] if turns == 1 else [0, 92, 100]
    for turn in range(turns):
        for part, source in enumerate([0, 4]):
            own, count = TRAIN.take(np.flatnonzero(TRAIN.sources == source)), ends[part + 1] - ends[part]
            updates = range(turn * count, (turn + 1) * count)
            key = int(substream(np.uint64(7), turn, part))
            twin(expected, layout, own, replace(how, updates=turns * count), key, updates)
    assert points.tobytes() == expected.tobytes()


def test_updates_are_shared_out_to_the_last() -> None:
    parts = [CascadeSet.of(lists, n_users=9) for lists in ([[0, 1, 2]], [[3]], [[4, 5], [4, 6]], [[7, 1, 2, 3]])]
    for turns in (1, 3):
        steps = _steps(parts, 100, turns)
        assert (steps.shape, steps.sum(), steps[:, 1].sum()) == ((turns, 4), 100, 0)
        np.testing.assert_allclose(steps.sum(axis=0), [200 / 7, 0, 200 / 7, 300 / 7], atol=turns)


def test_shards_meet_in_the_mean_of_those_that_moved() -> None:
    points = np.zeros((3, 8), np.float32)
    copies = [points.copy() for _ in range(3)]
    copies[0][0], copies[1][0], copies[2][1] = 2, 4, 5
    _meet(points, copies)
    assert points[:, 0].tolist() == [3, 5, 0]


def test_shards_learn_what_one_fit_learns() -> None:
    rng = np.random.default_rng(1)
    train = CascadeSet.of([[s % 8, *(8 + s % 8 * 5 + rng.permutation(5)).tolist()] for s in range(160)], n_users=48)
    layout = Layout(48, np.arange(48), np.zeros(48, np.int64))
    for shards in (1, 4):
        fitted = fit(
            train, lambda _: layout, replace(training(updates=40_000), shards=shards), np.random.default_rng(2)
        )
        scores = fitted.score(CascadeSet.of([[s] for s in range(8)], n_users=48))
        for source in range(8):
            assert set(np.argsort(-scores[source])[:6]) == {source, *range(8 + 5 * source, 13 + 5 * source)}
