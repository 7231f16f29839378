"""RBP, nDCG and reciprocal rank: hand-checked values, and ties by enumeration."""

import math

import pytest

from cascurve.errors import ConfigError
from cascurve.metrics import ndcg, rbp, reciprocal_rank


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_rbp(equals_enumeration, p) -> None:
    equals_enumeration(
        lambda ranks: rbp.score(ranks, p=p), lambda h, n: (1 - p) * sum(p**i for i, hit in enumerate(h) if hit)
    )


@pytest.mark.parametrize("k", [None, 1, 2, 4, 9, "R"])
@pytest.mark.parametrize("ideal", ["truth", "list"])
def test_ndcg(equals_enumeration, k, ideal) -> None:
    def of_list(h: list[bool], n: int) -> float:
        kept = h[: n if k == "R" else k]
        best = min(n, len(h)) if ideal == "list" else n
        best = best if k is None else min(best, n if k == "R" else k)
        gain = sum(1 / math.log2(i + 2) for i, hit in enumerate(kept) if hit)
        return gain / sum(1 / math.log2(i + 2) for i in range(best)) if best else 0.0

    equals_enumeration(lambda ranks: ndcg.score(ranks, k=k, ideal=ideal), of_list)


@pytest.mark.parametrize("k", [None, 1, 2, 4, 9])
def test_reciprocal_rank(equals_enumeration, k) -> None:
    equals_enumeration(
        lambda ranks: reciprocal_rank.score(ranks, k=k),
        lambda h, n: 1 / (h.index(True) + 1) if True in h[:k] else 0.0,
    )


def test_hand_checked_values(one_list) -> None:
    ranks = one_list([2, 3], 5)
    assert rbp.score(ranks, p=0.5)[0] == pytest.approx(0.5 * (0.5 + 0.25))
    assert reciprocal_rank.score(ranks)[0] == 0.5
    ideal = 1 + 1 / math.log2(3)
    assert ndcg.score(ranks)[0] == pytest.approx((1 / math.log2(3) + 1 / 2) / ideal)
    assert ndcg.score(one_list([1], 1, unranked=4), k="R")[0] < 0.4
    assert ndcg.score(one_list([1], 1, unranked=4), k="R", ideal="list")[0] == 1  # TAIA's convention


def test_columns_and_bad_parameters(one_list) -> None:
    assert [rbp.column(), rbp.column(p=0.95)] == ["rbp[p=0.8]", "rbp[p=0.95]"]
    assert [ndcg.column(), ndcg.column(k=10), ndcg.column(k="R", ideal="list")] == ["ndcg", "ndcg@10", "ndcg@R[list]"]
    assert [reciprocal_rank.column(), reciprocal_rank.column(k=5)] == ["rr", "rr@5"]
    with pytest.raises(ConfigError, match="between 0 and 1"):
        rbp.score(one_list([1], 2), p=1.0)
