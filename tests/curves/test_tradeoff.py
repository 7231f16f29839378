"""The Pareto front, the trade-off of two qualities, and the quadratic with its band."""

import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_novelty, make_points

from cascurve.curves.cells import cells
from cascurve.curves.resampling import network_weights
from cascurve.curves.tradeoff import dominant, tradeoff, with_score
from cascurve.curves.trend import trend

POINTS = make_points(degrees=(4, 6, 8))


def test_the_front_is_what_no_other_beats() -> None:
    accuracy = np.array([3.0, 2.0, 1.0, 2.0, 3.0])
    quality = np.array([1.0, 2.0, 3.0, 1.0, 1.0])
    assert dominant(accuracy, quality).tolist() == [True, True, True, False, True]  # equals beat neither
    rng = np.random.default_rng(0)
    both = rng.integers(0, 4, (2, 20, 6)).astype(float)
    for a, q, front in zip(*both, dominant(*both), strict=True):
        for i in range(6):
            beaten = any(a[j] >= a[i] and q[j] >= q[i] and (a[j] > a[i] or q[j] > q[i]) for j in range(6))
            assert front[i] != beaten


def test_means_are_over_the_cells_that_all_models_have() -> None:
    novelty = make_novelty(POINTS)
    found = tradeoff(novelty, "er", "long_tail@10", x="apce", seed=1, resamples=200)
    chosen = cells(novelty, "er")
    assert found.accuracy == pytest.approx(chosen.smap.mean(axis=0))
    assert found.quality == pytest.approx(cells(with_score(novelty, "long_tail@10"), "er").smap.mean(axis=0))
    assert (found.n_cells, found.left_out, found.n_networks) == (18, 0, 9)
    assert ((found.accuracy_band[0] < found.accuracy) & (found.accuracy < found.accuracy_band[1])).all()
    assert found.front[found.models.index("random")]  # the most novel
    assert "er: on the front of accuracy and long_tail@10 are" in found.words("long_tail@10")


def test_infinite_cells_are_left_out_and_counted() -> None:
    rows = make_novelty(POINTS).to_pylist()
    for row in rows:
        if row["model"] == "cdk" and row["length"] == 50:
            row["long_tail@10"] = float("inf")
    found = tradeoff(pa.Table.from_pylist(rows), "er", "long_tail@10", x="apce", seed=1, resamples=50)
    assert found.left_out == 3
    assert "3 cells without a finite value" in found.words("long_tail@10")
    for row in rows:
        row["long_tail@10"] = float("nan")
    assert tradeoff(pa.Table.from_pylist(rows), "er", "long_tail@10", x="apce", seed=1) is None


def test_less_is_better_for_the_gini_index() -> None:
    novelty = make_novelty(POINTS, ("gini@10",))
    found = tradeoff(novelty, "er", "gini@10", x="apce", seed=1, resamples=50)
    best = found.accuracy.argmax()
    assert found.front[best]
    assert found.quality[best] == found.quality.min()
    assert found.front.sum() == 1  # here the most accurate is the most even, too


def test_few_networks_give_no_intervals() -> None:
    novelty = make_novelty(make_points(groups=(), empirical=("android",)))
    found = tradeoff(novelty, "android", "long_tail@10", x="apce", seed=1, resamples=50)
    assert np.isnan(found.stability).all()
    assert np.isnan(found.quality_band).all()
    assert "resamples" not in found.words("long_tail@10")


def rising(seed: int) -> bool:
    """Whether the band of one draw holds the whole true curve."""
    rng = np.random.default_rng(seed)
    network = np.repeat(np.arange(12), 6)
    x = rng.random(72)
    y = 1 + 2 * x - x**2 + 0.05 * rng.normal(size=12)[network] + 0.02 * rng.normal(size=72)
    found = trend(x, y, network, network_weights(12, 300, rng))
    truth = 1 + 2 * found.x - found.x**2
    return bool(((found.low < truth) & (truth < found.high)).all())


def test_the_band_holds_a_rising_trend_as_often_as_it_says() -> None:
    held = np.mean([rising(seed) for seed in range(200)])
    assert abs(held - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 200)


def test_without_networks_or_variation_there_is_no_trend() -> None:
    rng = np.random.default_rng(5)
    x, network = rng.random(72), np.repeat(np.arange(12), 6)
    assert trend(x, x, network % 6, network_weights(6, 100, rng)) is None
    assert trend(x, np.ones(72), network, network_weights(12, 100, rng)) is None
    assert trend(np.round(x), x, network, network_weights(12, 100, rng)) is None
