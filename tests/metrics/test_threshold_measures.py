"""Accuracy, F-score, lift and the label-free control against their definitions; softened AUC of dense lists."""

import numpy as np
import pytest

from cascurve.errors import ConfigError
from cascurve.metrics import accuracy, f_score, lift, sauc, score_spread
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of


def lists(seed: int) -> tuple[RelevantRanks, list[tuple[np.ndarray, np.ndarray]]]:
    """Three cascades over two queries, and (probability, infected) of every candidate of each; an unranked is 0."""
    rng = np.random.default_rng(seed)
    scores = rng.random((2, 30)).astype(np.float32).round(1)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    truths, rows = [rng.choice(30, k, replace=False) for k in (5, 1, 12)], [1, 0, 1]
    pairs = []
    for truth, row in zip(truths, rows, strict=True):
        infected = np.isin(np.arange(30), truth)
        counted = infected | ~np.isnan(scores[row])
        pairs.append((np.nan_to_num(scores[row][counted], nan=0.0), infected[counted]))
    return ranks_of(scores, np.cumsum([0, 5, 1, 12]), np.concatenate(truths), rows), pairs


@pytest.mark.parametrize("threshold", [0.5, 0.8])
@pytest.mark.parametrize("seed", range(2))
def test_decisions(seed, threshold) -> None:
    ranks, pairs = lists(seed)
    for i, (p, y) in enumerate(pairs):
        predicted = p >= np.float32(threshold)
        assert accuracy.score(ranks, threshold=threshold)[i] == pytest.approx(np.mean(predicted == y))
        expected = 2 * np.sum(predicted & y) / (predicted.sum() + y.sum())
        assert f_score.score(ranks, threshold=threshold)[i] == pytest.approx(expected)


def test_decisions_need_probabilities_and_a_threshold() -> None:
    ranks = ranks_of(np.array([[3.0, 2, 1]], np.float32), [0, 1], [0], [0])
    assert np.isnan(accuracy.score(ranks)[0]) and np.isnan(f_score.score(ranks)[0])
    with pytest.raises(ConfigError, match="threshold"):
        accuracy.score(ranks, threshold=1.0)


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_lift(equals_enumeration, share) -> None:
    def of_list(h: list[bool], n: int) -> float:
        first = h[: max(int(np.rint(share * len(h))), 1)]
        return (sum(first) / n) / (len(first) / len(h)) if h else 0.0

    equals_enumeration(lambda ranks: lift.score(ranks, share=share), of_list)
    with pytest.raises(ConfigError, match="share"):
        lift.score(lists(0)[0], share=0)


def test_score_spread_is_the_mean_over_pairs_whoever_was_infected() -> None:
    ranks, _ = lists(3)
    for i, row in enumerate(ranks.query_rows):
        known = ranks.scores[row][~np.isnan(ranks.scores[row])].astype(float)
        pairs = [abs(a - b) for k, a in enumerate(known) for b in known[:k]]
        assert score_spread.score(ranks)[i] == pytest.approx(np.mean(pairs))
    one = ranks_of(np.array([[0.5, np.nan]], np.float32), [0, 1], [0], [0])
    assert np.isnan(score_spread.score(one)[0])


def test_softened_auc_of_many_recipients_equals_the_double_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    scores = rng.random((2, 90)).astype(np.float32).round(1)
    scores[0, :7] = np.nan
    truths = [rng.choice(90, k, replace=False) for k in (40, 20, 3)]
    ranks = ranks_of(scores, np.cumsum([0, 40, 20, 3]), np.concatenate(truths), [0, 1, 0])
    few = sauc.score(ranks)
    monkeypatch.setattr(sauc, "MANY", 10)  # the first two are sorted now
    many = sauc.score(ranks)
    for i, truth in enumerate(truths):
        row = scores[ranks.query_rows[i]].astype(float)
        infected = np.isin(np.arange(90), truth)
        margins = np.nan_to_num(row[infected])[:, None] - row[~infected & ~np.isnan(row)][None]
        expected = sum(max(x, 0.0) for x in margins.ravel()) / margins.size
        assert many[i] == pytest.approx(expected, rel=1e-12)
        assert few[i] == pytest.approx(expected, rel=1e-12)
    whole, infected = scores[1].astype(float), np.isin(np.arange(90), truths[1])
    assert sauc.softened_auc(whole, infected) == pytest.approx(few[1], rel=1e-12)
    assert np.isnan(sauc.softened_auc(whole, np.ones(90, bool)))


def test_columns() -> None:
    assert [accuracy.column(), f_score.column(threshold=0.3), lift.column(), score_spread.column()] == [
        "accuracy[0.5]", "f_score[0.3]", "lift[0.25]", "score_spread",
    ]  # fmt: skip
