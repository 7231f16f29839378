"""Precision, recall, F1, hits, success and R-precision: hand-checked values, and ties by enumeration."""

import math

import numpy as np
import pytest

from cascurve.metrics import f1, hits, precision, r_precision, recall, success
from cascurve.metrics.relevant_ranks import ranks_of

CUTS = [1, 2, 3, 6, 9, "R"]


def cut(k: int | str, n_relevant: int) -> int:
    return n_relevant if k == "R" else int(k)


@pytest.mark.parametrize("k", CUTS)
def test_ties_are_taken_in_expectation(equals_enumeration, k) -> None:
    equals_enumeration(lambda r: precision.score(r, k=k), lambda h, n: sum(h[: cut(k, n)]) / cut(k, n))
    equals_enumeration(lambda r: recall.score(r, k=k), lambda h, n: sum(h[: cut(k, n)]) / n)
    equals_enumeration(lambda r: hits.score(r, k=k), lambda h, n: sum(h[: cut(k, n)]))
    equals_enumeration(lambda r: success.score(r, k=k), lambda h, n: float(any(h[: cut(k, n)])))

    def harmonic_mean(h: list[bool], n: int) -> float:
        p, r = sum(h[: cut(k, n)]) / cut(k, n), sum(h[: cut(k, n)]) / n
        return 2 * p * r / (p + r) if p + r else 0.0

    equals_enumeration(lambda ranks: f1.score(ranks, k=k), harmonic_mean)


def test_r_precision_and_hits_of_the_whole_list(equals_enumeration) -> None:
    equals_enumeration(r_precision.score, lambda h, n: sum(h[:n]) / n)
    equals_enumeration(hits.score, lambda h, n: sum(h))
    equals_enumeration(recall.score, lambda h, n: sum(h) / n)


def test_hand_checked_values(one_list) -> None:
    ranks = one_list([1, 4, 5], 6, unranked=1)
    assert precision.score(ranks, k=4)[0] == 2 / 4
    assert precision.score(ranks, k=10)[0] == 3 / 10  # a short list is filled up with misses
    assert recall.score(ranks, k=4)[0] == 2 / 4
    assert f1.score(ranks, k=5)[0] == pytest.approx(2 * (3 / 5) * (3 / 4) / (3 / 5 + 3 / 4))
    assert r_precision.score(ranks)[0] == 2 / 4
    assert hits.score(ranks, k=4)[0] == 2
    assert success.score(one_list([3], 6), k=2)[0] == 0
    assert success.score(one_list([3], 6), k=3)[0] == 1


def test_success_of_a_large_tie_is_hypergeometric() -> None:
    ranks = ranks_of(np.zeros((1, 1000), np.float32), [0, 40], np.arange(40), [0])
    assert success.score(ranks, k=25)[0] == pytest.approx(1 - math.comb(960, 25) / math.comb(1000, 25), rel=1e-12)


def test_columns() -> None:
    assert [m.column(k=10) for m in (precision, recall, f1, hits, success)] == [
        "precision@10", "recall@10", "f1@10", "hits@10", "success@10",
    ]  # fmt: skip
    assert [recall.column(), hits.column(), r_precision.column()] == ["recall", "hits", "r_precision"]
