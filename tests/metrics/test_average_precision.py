"""Average precision: hand-checked values, and ties by enumeration."""

import numpy as np
import pytest

from cascurve.errors import ConfigError
from cascurve.metrics import average_precision
from cascurve.metrics.relevant_ranks import ranks_of


def by_hand(hits: list[bool], n_relevant: int, k: int | str | None = None, denominator: str = "truth") -> float:
    cut = n_relevant if k == "R" else len(hits) if k is None else k
    kept = hits[:cut]
    total = sum(sum(kept[: i + 1]) / (i + 1) for i, hit in enumerate(kept) if hit)
    divisor = {"truth": n_relevant, "min": min(cut, n_relevant), "hits": sum(kept)}[denominator]
    return total / divisor if divisor else 0.0


@pytest.mark.parametrize(
    ("places", "unranked", "parameters", "value"),
    [
        ([1, 3], 0, {}, (1 + 2 / 3) / 2),
        ([1, 3], 1, {}, (1 + 2 / 3) / 3),
        ([1, 2, 3], 0, {}, 1),
        ([2, 5], 0, {"k": 3}, (1 / 2) / 2),
        ([2, 5], 0, {"k": 3, "denominator": "min"}, (1 / 2) / 2),
        ([2, 5], 0, {"k": 1, "denominator": "min"}, 0),
        ([2, 5], 0, {"k": 3, "denominator": "hits"}, 1 / 2),
        ([2, 5], 0, {"k": 1, "denominator": "hits"}, 0),
        ([1, 2, 3, 6], 0, {"k": 2, "denominator": "min"}, 1),
        ([1, 2, 3, 6], 0, {"k": "R"}, 3 / 4),
        ([], 2, {}, 0),
    ],
)
def test_hand_checked_values(one_list, places, unranked, parameters, value) -> None:
    assert average_precision.score(one_list(places, 6, unranked), **parameters)[0] == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("denominator", ["truth", "min", "hits"])
@pytest.mark.parametrize("k", [None, 1, 2, 3, 5, 9, "R"])
def test_ties_are_taken_in_expectation(equals_enumeration, k, denominator) -> None:
    equals_enumeration(
        lambda ranks: average_precision.score(ranks, k=k, denominator=denominator),
        lambda hits, n_relevant: by_hand(hits, n_relevant, k, denominator),
    )


def test_all_tied_does_not_depend_on_the_users_numbers() -> None:
    """Breaking ties by index would favour the recipients 0 and 1."""
    scores = np.zeros((1, 50), np.float32)
    low, high = (average_precision.score(ranks_of(scores, [0, 2], users, [0]))[0] for users in ([0, 1], [48, 49]))
    assert low == high


def test_no_recipient_has_no_value() -> None:
    ranks = ranks_of(np.ones((1, 3), np.float32), [0, 0, 1], [2], [0, 0])
    for denominator in ("truth", "min", "hits"):
        values = average_precision.score(ranks, denominator=denominator)
        assert np.isnan(values[0]) and not np.isnan(values[1])


def test_single_candidate() -> None:
    ranks = ranks_of(np.array([[np.nan, 3.0]], np.float32), [0, 1], [1], [0])
    assert average_precision.score(ranks).tolist() == [1.0]


def test_columns_say_the_convention() -> None:
    assert average_precision.column() == "ap"
    assert average_precision.column(k=10) == "ap@10[truth]"
    assert average_precision.column(k=10, denominator="min") == "ap@10[min]"
    assert average_precision.column(k="R", denominator="hits") == "ap@R[hits]"
    assert average_precision.column(denominator="hits") == "ap[hits]"


@pytest.mark.parametrize("k", [0, -1, 2.5, "L"])
def test_impossible_cuts_are_refused(one_list, k) -> None:
    with pytest.raises(ConfigError, match="a whole number of ranks >= 1"):
        average_precision.score(one_list([1], 3), k=k)
