"""AUC, TAIA's corrected AUC and bpref: hand-checked values, and ties by enumeration."""

import numpy as np
import pytest

from cascurve.metrics import auc, bpref, corrected_auc
from cascurve.metrics.relevant_ranks import ranks_of


def pairs_won(h: list[bool]) -> int:
    return sum(not h[j] for i, hit in enumerate(h) if hit for j in range(i + 1, len(h)))


@pytest.mark.parametrize("missed", ["below", "ignored"])
def test_auc(equals_enumeration, missed) -> None:
    def of_list(h: list[bool], n: int) -> float:
        pairs = (n if missed == "below" else sum(h)) * (len(h) - sum(h))
        return pairs_won(h) / pairs if pairs else np.nan

    equals_enumeration(lambda ranks: auc.score(ranks, missed=missed), of_list)


def test_corrected_auc(equals_enumeration) -> None:
    def of_list(h: list[bool], n: int) -> float:
        pairs = sum(h) * (len(h) - sum(h))
        return 2 * pairs_won(h) / pairs - 1 if pairs else 0.0

    equals_enumeration(corrected_auc.score, of_list)


def test_bpref(equals_enumeration) -> None:
    def of_list(h: list[bool], n: int) -> float:
        others = len(h) - sum(h)
        total = 0.0
        for i, hit in enumerate(h):
            before = sum(not other for other in h[:i])
            total += hit * (1 - min(before, n) / min(n, others) if before else 1)
        return total / n

    equals_enumeration(bpref.score, of_list)


def test_hand_checked_values(one_list) -> None:
    ranks = one_list([1, 4], 5, unranked=2)
    assert auc.score(ranks)[0] == pytest.approx((3 + 1) / (4 * 3))
    assert auc.score(ranks, missed="ignored")[0] == pytest.approx(4 / 6)
    assert corrected_auc.score(ranks)[0] == pytest.approx(2 * 4 / 6 - 1)
    assert bpref.score(one_list([1, 4], 5))[0] == pytest.approx((1 + (1 - 2 / 2)) / 2)


def test_auc_without_pairs() -> None:
    ranks = ranks_of(np.ones((1, 2), np.float32), [0, 2, 2], [0, 1], [0, 0])
    assert np.isnan(auc.score(ranks)).all()
    assert corrected_auc.score(ranks)[0] == 0
    assert np.isnan(corrected_auc.score(ranks)[1])


def test_columns() -> None:
    assert [auc.column(), auc.column(missed="ignored"), corrected_auc.column(), bpref.column()] == [
        "auc", "auc[ignored]", "corrected_auc", "bpref",
    ]  # fmt: skip
