"""Whether weights change the order of models."""

import numpy as np
import pytest

from cascurve.timeaware.order import compare, kendall


def values(rng, entities: int, uniform: float, weighted: float, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    return tuple(mean + noise * rng.standard_normal(entities) for mean in (uniform, weighted))


def test_a_clear_reversal_is_established_and_a_clear_order_is_kept() -> None:
    rng = np.random.default_rng(1)
    models = {"a": values(rng, 50, 0.5, 0.2), "b": values(rng, 50, 0.3, 0.4), "c": values(rng, 50, 0.0, 0.0)}
    ab, ac, _ = compare(models, rng=rng)
    assert (ab.a, ab.b, ab.verdict, ab.turned) == ("a", "b", "reversed", True)
    assert ab.difference["UNIFORM"] == pytest.approx(np.mean(models["a"][0] - models["b"][0]))
    assert ab.change == pytest.approx(ab.difference["WEIGHTED"] - ab.difference["UNIFORM"])
    assert (ac.verdict, ac.turned) == ("changed", False)


def test_few_entities_have_no_interval_and_empty_ones_are_left_out() -> None:
    rng = np.random.default_rng(2)
    one, two = values(rng, 5, 1, 1), values(rng, 5, 0, 0)
    one[0][0] = one[1][0] = np.nan
    (pair,) = compare({"a": one, "b": two}, rng=rng)
    assert (pair.entities, pair.verdict) == (4, "unknown")
    assert np.isnan(pair.low["UNIFORM"])
    assert compare({"a": one}, rng=rng) == []


def test_equal_models_are_rarely_told_apart() -> None:
    """At 95 % for all differences at once; 100 data sets of skewed values."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(100):
        shared = rng.exponential(1, 40)
        rows = [shared + 0.3 * rng.standard_normal(40) for _ in range(3)]
        scaled = {name: (row, row * 1.0) for name, row in zip("abc", rows, strict=True)}
        wrong += any(
            pair.low["UNIFORM"] > 0 or pair.high["UNIFORM"] < 0 for pair in compare(scaled, rng=rng, resamples=200)
        )
    assert wrong <= 13  # the bootstrap is a little narrow with 40 entities


def test_kendall() -> None:
    assert kendall([1, 2, 3], [4, 5, 6]) == 1
    assert kendall([1, 2, 3], [6, 5, 4]) == -1
    assert np.isnan(kendall([1], [1]))
