"""Kendall's tau and rank-biased overlap: slow twins over every order of ties, and SciPy's tau without ties."""

import numpy as np
import pytest
from scipy import stats

from cascurve.errors import ConfigError
from cascurve.metrics import kendall_tau, rbo
from cascurve.metrics.relevant_ranks import ranks_of


def slow_rbo(true: list[int], predicted: list[int], p: float) -> float:
    n = len(true)
    agreement = [len(set(true[:d]) & set(predicted[:d])) / d for d in range(1, n + 1)]
    return (1 - p) / p * sum(a * p**d for d, a in enumerate(agreement, 1)) + agreement[-1] * p**n


def slow_tau(true: list[int], predicted: list[int]) -> float:
    rank = {user: place for place, user in enumerate(predicted)}
    ranks = [rank.get(user, np.inf) for user in true]
    pairs = [(a, b) for i, a in enumerate(ranks) for b in ranks[i + 1 :]]
    return float(np.mean([0 if a == b else np.sign(b - a) for a, b in pairs]))


@pytest.mark.parametrize("levels", [1, 2, 3, 40])
def test_ties_are_taken_in_expectation(orders_of, levels) -> None:
    rng = np.random.default_rng(levels)
    for _ in range(12):
        scores = rng.integers(0, levels, 6).astype(float)
        scores[rng.random(6) < 0.2] = np.nan
        true = rng.choice(6, rng.integers(2, 7), replace=False).tolist()
        ranks = ranks_of(scores[None].astype(np.float32), [0, len(true)], true, [0])
        every = orders_of(scores.tolist())
        assert kendall_tau.score(ranks)[0] == pytest.approx(np.mean([slow_tau(true, order) for order in every]))
        for p in (0.5, 0.9):
            expected = np.mean([slow_rbo(true, order, p) for order in every])
            assert rbo.score(ranks, p=p)[0] == pytest.approx(expected, abs=1e-12)


def test_tau_equals_scipy() -> None:
    rng = np.random.default_rng(8)
    scores = rng.standard_normal((1, 300)).astype(np.float32)
    true = rng.choice(300, 60, replace=False)
    tau = kendall_tau.score(ranks_of(scores, [0, 60], true, [0]))[0]
    assert tau == pytest.approx(stats.kendalltau(np.arange(60), -scores[0, true]).statistic, abs=1e-12)


@pytest.mark.parametrize(("n", "levels"), [(63, 5), (64, 3), (65, 9), (200, 30), (300, 1)])
def test_long_cascades_with_ties_and_unranked_recipients(n: int, levels: int) -> None:
    rng = np.random.default_rng(n)
    scores = rng.integers(0, levels, (1, 400)).astype(np.float32)
    scores[0, rng.random(400) < 0.2] = np.nan
    true = rng.choice(400, n, replace=False)
    height = np.where(np.isnan(scores[0, true]), -1, scores[0, true])  # unranked: below all, tied among themselves
    pairs = np.sign(height[:, None] - height[None])[np.triu_indices(n, 1)].astype(float)
    tau = kendall_tau.score(ranks_of(scores, [0, n], true, [0]))[0]
    assert tau == pytest.approx(pairs.mean(), abs=1e-12)


def test_extremes() -> None:
    scores = np.array([[5, 4, 3, 2, 1, 0]], np.float32)
    for true, tau in (([0, 1, 2], 1), ([2, 1, 0], -1), ([0, 1, 2, 3, 4, 5], 1)):
        ranks = ranks_of(scores, [0, len(true)], true, [0])
        assert kendall_tau.score(ranks)[0] == tau
        assert rbo.score(ranks)[0] == pytest.approx(1 if tau == 1 else slow_rbo(true, [0, 1, 2], 0.9))
    nothing_found = ranks_of(scores, [0, 2], [4, 5], [0])
    assert rbo.score(nothing_found)[0] == 0


def test_too_few_recipients() -> None:
    ranks = ranks_of(np.array([[1, 2]], np.float32), [0, 1, 1], [0], [0, 0])
    assert np.isnan(kendall_tau.score(ranks)).all()
    assert rbo.score(ranks)[0] == 0
    assert np.isnan(rbo.score(ranks)[1])
    assert [kendall_tau.column(), rbo.column(), rbo.column(p=0.5)] == ["kendall_tau", "rbo[p=0.9]", "rbo[p=0.5]"]
    with pytest.raises(ConfigError, match="between 0 and 1"):
        rbo.score(ranks, p=0.0)
