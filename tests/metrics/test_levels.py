"""Floor and ceiling of every measure."""

import numpy as np
import pytest

from cascurve import plugins
from cascurve.metrics import chance
from cascurve.metrics.levels import Levels, levels
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of
from cascurve.metrics.scoring import score_ranks

ALL = {name: {"k": 3} if name in ("precision", "f1", "success") else {} for name in plugins.names("metrics")}
OF_VALUES = {"sauc", "rms", "log_loss[1e-07]", "accuracy[0.5]", "f_score[0.5]"}
BLIND = "score_spread"  # any order of the candidates gives the same value


@pytest.fixture(scope="module")
def ranks() -> RelevantRanks:
    rng = np.random.default_rng(11)
    scores = rng.random((3, 20)).astype(np.float32)
    scores[0, :3] = np.nan
    truths = [rng.choice(np.arange(3, 20), k, replace=False) for k in (4, 2, 6)]
    return ranks_of(scores, [0, 4, 6, 12], np.concatenate(truths), np.arange(3))


def test_every_measure_has_a_chance_level_and_every_measure_of_ranks_an_exact_one(ranks) -> None:
    found = levels(ranks, ALL)
    values = score_ranks(ranks, ALL)
    assert list(found) == list(values)
    for name, between in found.items():
        assert np.isfinite(between.chance).all(), name
        if name == BLIND:
            np.testing.assert_allclose(between.chance, values[name], rtol=1e-12)
            continue
        assert (between.chance_error > 0).all() == (name in OF_VALUES), name
        assert np.isnan(between.ceiling).all() == (name in OF_VALUES), name
        if name not in OF_VALUES:
            assert (between.ceiling >= np.maximum(values[name], between.chance) - 1e-12).all(), name


def test_exact_levels_are_the_mean_over_random_rankings(ranks) -> None:
    """The slow way: deal the scores out many times."""
    rng = np.random.default_rng(12)
    for label in ("average_precision", "bpref", "rbo", "kendall_tau", "ndcg"):
        [(_, between)] = levels(ranks, {label: {}}).items()
        module = plugins.load("metrics", label)
        mean, error = chance.monte_carlo(ranks, module.score, draws=400, rng=rng)
        assert (np.abs(mean - between.chance) < 4.5 * error).all(), label


def test_summary_puts_the_mean_between_floor_and_ceiling() -> None:
    one = Levels(np.array([0.1, 0.3]), np.array([0.0, 0.0]), np.array([0.6, 0.8]), 1.0)
    both = Levels.join([one, Levels(np.array([0.9]), np.zeros(1), np.array([1.0]), 1.0)])
    summary = both.summary(np.array([0.4, 0.4, np.nan]))  # the third has no value and counts nowhere
    assert summary == pytest.approx(
        {"chance": 0.2, "chance_error": 0, "ceiling": 0.7, "corrected": 0.2 / 0.8, "normalised": 0.2 / 0.5}
    )
    assert all(np.isnan(x) for x in one.summary(np.full(2, np.nan)).values())


def test_the_error_of_a_mean_of_monte_carlo_levels() -> None:
    one = Levels(np.array([0.1, 0.3]), np.array([0.03, 0.04]), np.full(2, np.nan), 0.0)
    summary = one.summary(np.array([0.1, 0.1]))
    assert summary["chance_error"] == pytest.approx(0.05 / 2)
    assert summary["corrected"] == pytest.approx(0.5)  # smaller is better: halfway from chance to 0
    assert np.isnan(summary["normalised"])
