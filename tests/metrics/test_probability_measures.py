"""Log-loss, RMS and softened AUC against their definitions, pair by pair."""

import numpy as np
import pytest

from cascurve.errors import ConfigError
from cascurve.metrics import auc, chance, log_loss, rms, sauc
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of


def random_ranks(seed: int) -> RelevantRanks:
    rng = np.random.default_rng(seed)
    scores = rng.random((3, 40)).astype(np.float32)
    scores[0] = scores[0].round(1)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    truths = [rng.choice(40, k, replace=False) for k in (5, 1, 12, 20)]
    return ranks_of(scores, np.cumsum([0, 5, 1, 12, 20]), np.concatenate(truths), [2, 0, 0, 1])


def predictions(ranks: RelevantRanks, cascade: int) -> tuple[np.ndarray, np.ndarray]:
    """(probability, infected) of every candidate, and of recipients that are not ranked."""
    row = ranks.scores[ranks.query_rows[cascade]].astype(float)
    a, b = ranks.recipient_offsets[cascade : cascade + 2]
    infected = np.isin(np.arange(len(row)), ranks.users[a:b])
    counted = infected | ~np.isnan(row)
    return np.nan_to_num(row[counted], nan=0.0), infected[counted]


@pytest.mark.parametrize("seed", range(3))
def test_equal_the_definitions(seed) -> None:
    ranks = random_ranks(seed)
    for i in range(len(ranks)):
        p, y = predictions(ranks, i)
        cut = np.clip(p, 1e-7, 1 - 1e-7)
        assert log_loss.score(ranks)[i] == pytest.approx(-np.mean(np.where(y, np.log(cut), np.log(1 - cut))), abs=1e-10)
        assert rms.score(ranks)[i] == pytest.approx(np.sqrt(np.mean((p - y) ** 2)), abs=1e-12)
        margins = p[y][:, None] - p[~y][None]
        assert sauc.score(ranks)[i] == pytest.approx(np.maximum(margins, 0).mean(), abs=1e-12)


@pytest.mark.parametrize("spread", [1.0, 1e-6])
def test_long_and_crowded_rankings(spread) -> None:
    rng = np.random.default_rng(6)
    scores = (0.5 + spread * (rng.random((3, 9000)) - 0.5)).astype(np.float32)
    scores[:, :2] = [0, 1]
    scores[[0, 2], 100:200] = np.nan
    sizes = (40, 300, 5, 10)  # the last two, asked for alone and with others, are compared one by one or not
    truths = [np.append(rng.choice(np.arange(2, 9000), k, replace=False), [0, 1]) for k in sizes]
    ranks = ranks_of(scores, np.cumsum([0, 42, 302, 7, 12]), np.concatenate(truths), [0, 1, 1, 2])
    for i in range(len(ranks)):
        p, y = predictions(ranks, i)
        margins = p[y][:, None] - p[~y][None]
        assert sauc.score(ranks)[i] == pytest.approx(np.maximum(margins, 0).mean(), rel=1e-9)
        assert rms.score(ranks)[i] == pytest.approx(np.sqrt(np.mean((p - y) ** 2)), rel=1e-9)
        kept = np.clip(p, 1e-7, 1 - 1e-7)
        assert log_loss.score(ranks)[i] == pytest.approx(-np.log(np.where(y, kept, 1 - kept)).mean(), rel=1e-9)


@pytest.mark.parametrize("n", [100, 1000, 3000, 9000])
def test_many_certain_and_wrong_predictions(n) -> None:
    """The product of what was given to the truth is far below the smallest number, however it is put together."""
    ranks = ranks_of(np.ones((1, n), np.float32), [0, 1], [0], [0])
    assert log_loss.score(ranks)[0] == pytest.approx(-((n - 1) * np.log(1e-7) + np.log1p(-1e-7)) / n)


def test_hand_checked_values() -> None:
    ranks = ranks_of(np.array([[0.75, 0.5, 0.25]], np.float32), [0, 1], [0], [0])
    assert rms.score(ranks)[0] == pytest.approx(np.sqrt((1 / 16 + 1 / 4 + 1 / 16) / 3))
    assert log_loss.score(ranks)[0] == pytest.approx(-(np.log(0.75) + np.log(0.5) + np.log(0.75)) / 3)
    assert sauc.score(ranks)[0] == pytest.approx((0.25 + 0.5) / 2)


def test_certain_predictions() -> None:
    ranks = ranks_of(np.array([[1, 0, 0]], np.float32), [0, 1, 2], [0, 1], [0, 0])
    assert rms.score(ranks).tolist() == pytest.approx([0, np.sqrt(2 / 3)])
    assert sauc.score(ranks).tolist() == [1, 0] == auc.score(ranks).round().tolist()
    assert log_loss.score(ranks, smallest=1e-3)[1] == pytest.approx(-(2 * np.log(1e-3) + np.log1p(-1e-3)) / 3)


def test_scores_that_are_no_probabilities_have_no_value() -> None:
    scores = np.array([[0.5, 1.5], [-0.1, 0.2], [np.inf, 0.2], [0.5, np.nan], [np.nan, np.nan]], np.float32)
    ranks = ranks_of(scores, np.arange(6), [1, 1, 1, 0, 0], range(5))
    assert np.isnan(rms.score(ranks)).tolist() == [True, True, True, False, True]
    assert np.isnan(log_loss.score(ranks)).tolist() == [True, True, True, False, True]
    assert np.isnan(sauc.score(ranks)).all()  # the fourth has no pair


def test_random_ranking_leaves_chance_to_monte_carlo() -> None:
    ranks = random_ranks(5)
    for measure in (sauc, rms, log_loss):
        assert np.isnan(measure.score(chance.random_ranking(ranks))).all()


def test_columns_and_bad_parameters() -> None:
    assert [log_loss.column(), rms.column(), sauc.column()] == ["log_loss[1e-07]", "rms", "sauc"]
    with pytest.raises(ConfigError, match=r"between 0 and 0\.5"):
        log_loss.score(random_ranks(0), smallest=0.5)
