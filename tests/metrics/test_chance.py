"""Chance levels against the enumeration of every ranking."""

from itertools import permutations

import numpy as np
import pytest

from cascurve.metrics import average_precision, chance, kendall_tau, rbo, sauc
from cascurve.metrics.relevant_ranks import ranks_of


@pytest.mark.parametrize("kept", [None, 1, 2, 4, 9])
@pytest.mark.parametrize(("n", "r"), [(1, 1), (4, 1), (5, 2), (6, 4), (6, 6)])
def test_expected_average_precision_equals_the_mean_over_all_rankings(n, r, kept) -> None:
    values = []
    for order in permutations(range(n)):
        hits = [user < r for user in order][:kept]
        values.append(sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit) / r)
    assert chance.average_precision(n, r, kept) == pytest.approx(np.mean(values), abs=1e-14)


def test_expected_average_precision_of_arrays() -> None:
    values = chance.average_precision([999, 999, 999], [10, 100, 0])
    harmonic = np.sum(1 / np.arange(1, 1000))
    expected = [(harmonic + (999 - harmonic) * (r - 1) / 998) / 999 for r in (10, 100)]
    np.testing.assert_allclose(values[:2], expected, rtol=1e-14)
    assert np.isnan(values[2])


def test_one_group_of_ties_is_a_random_ranking() -> None:
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((2, 40)).astype(np.float32)
    ranks = ranks_of(
        scores, [0, 5, 5, 17], np.concatenate([rng.choice(40, k, replace=False) for k in (5, 12)]), [0, 1, 1]
    )
    random = chance.random_ranking(ranks)
    expected = chance.average_precision([40, 40, 40], [5, 0, 12])
    np.testing.assert_allclose(average_precision.score(random), expected, rtol=1e-12)
    np.testing.assert_allclose(
        average_precision.score(random, k=7), chance.average_precision(40, [5, 0, 12], 7), rtol=1e-12
    )
    assert random.recipient_group.tolist() == [0] * 5 + [1] * 12


def test_perfect_ranking_is_the_ceiling(one_list) -> None:
    perfect = chance.perfect_ranking(one_list([4, 6], 6, unranked=1))
    assert average_precision.score(perfect)[0] == pytest.approx(2 / 3)
    assert average_precision.score(perfect, k=1)[0] == pytest.approx(1 / 3)


def test_perfect_ranking_keeps_the_true_order(one_list) -> None:
    perfect = chance.perfect_ranking(one_list([4, 6, 1], 6))
    assert kendall_tau.score(perfect).tolist() == [1]
    assert rbo.score(perfect)[0] == pytest.approx(1)


def test_monte_carlo_agrees_with_the_exact_level() -> None:
    rng = np.random.default_rng(4)
    scores = rng.random((2, 30)).astype(np.float32).round(1)
    scores[0, :5] = np.nan
    ranks = ranks_of(
        scores, [0, 4, 12, 14], np.concatenate([rng.choice(30, k, replace=False) for k in (4, 8, 2)]), [0, 1, 1]
    )
    for measure in (average_precision, sauc):
        mean, error = chance.monte_carlo(ranks, measure.score, draws=800, rng=rng)
        if measure is sauc:
            pair_mean = [
                np.maximum(v[:, None] - v, 0).sum() / (len(v) * (len(v) - 1)) for v in (s[~np.isnan(s)] for s in scores)
            ]
            exact = np.array(pair_mean)[[0, 1, 1]].astype(float) * ranks.n_ranked / ranks.n_relevant
        else:
            exact = average_precision.score(chance.random_ranking(ranks))
        assert np.all(np.abs(mean - exact) < 4.5 * error)
        assert np.all((error > 0) & (error < 0.02))
