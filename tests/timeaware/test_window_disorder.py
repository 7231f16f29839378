import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.disorder import apce
from cascurve.timeaware.window_disorder import FEWEST_PAIRS, disorder


def drawn(cascades: int, users: int) -> CascadeSet:
    """All users in random orders."""
    rng = np.random.default_rng(0)
    return CascadeSet.of([rng.permutation(users).tolist() for _ in range(cascades)], users)


def test_few_pairs_leave_the_corrected_value_unknown_and_say_why() -> None:
    every = drawn(6, 8)  # 28 pairs, each seen six times
    row = disorder(every, np.ones(len(every.users), bool))
    assert row["pairs_twice"] == 28 < FEWEST_PAIRS
    assert (row["apce_bayes"], row["apce_bayes_se"]) == (None, None)
    assert row["apce_note"] == "fewer than 30 pairs of users are seen twice or more"
    assert row["apce"] > 0.5


def test_enough_pairs_give_the_value_of_the_parts_alone() -> None:
    every = drawn(6, 20)
    inside = np.tile(np.arange(20) < 12, 6)
    row = disorder(every, inside)
    part = CascadeSet.of([list(users[:12]) for users in every], 20)
    assert row["apce_bayes"] == pytest.approx(apce.measure(part, rng=np.random.default_rng(0)).apce_bayes)
    assert (row["apce_note"], row["cascades"]) == ("", 6)
    assert FEWEST_PAIRS <= row["pairs_twice"] <= 12 * 19


def test_single_users_have_no_order() -> None:
    every = drawn(3, 5)
    row = disorder(every, np.tile(np.arange(5) == 2, 3))
    assert (row["cascades"], row["apce"], row["apce_bayes"]) == (0, None, None)
    assert row["apce_note"] == "no cascade has two users in the window"
