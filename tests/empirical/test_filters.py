"""Filters, ties and the leakage check."""

from dataclasses import replace

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.empirical import filters, leakage, ties
from cascurve.empirical.prepare import prepare
from cascurve.errors import ConfigError, DataError
from cascurve.formats.imported import Imported
from cascurve.graph import Graph

CASCADES = CascadeSet.of([[0, 1, 2], [3, 0], [2, 4, 1, 3]], 6, [[1, 1, 5], [2, 9], [3, 4, 4, 4]])


@pytest.fixture
def imported() -> Imported:
    return Imported.of(CASCADES, Graph.from_edges(6, [0, 1, 3], [1, 2, 5], directed=True))


def lists(imported: Imported) -> list[list[int]]:
    return [cascade.tolist() for cascade in imported.cascades]


def changes(imported: Imported) -> list[tuple[int, int, int]]:
    return [(row.cascades, row.users, row.participations) for row in imported.account[1:]]


def test_length(imported) -> None:
    kept = filters.by_length(imported, 3, 3)
    assert lists(kept) == [[0, 1, 2]]
    assert changes(kept) == [(-1, 0, -2), (-1, -2, -4)]
    assert kept.lines.tolist() == [1]


def test_window(imported) -> None:
    kept = filters.in_window(imported, 2, 4)
    assert lists(kept) == [[3], [2]]
    assert changes(kept) == [(-1, 0, -3), (0, -3, -4)]
    with pytest.raises(ConfigError, match="no times"):
        filters.in_window(Imported.of(CascadeSet.of([[0, 1]])), 0, 1)


def test_a_window_of_dates_needs_times_in_seconds(imported) -> None:
    days = replace(imported, cascades=CascadeSet.of(list(CASCADES), 6, [[0, 1, 5], [90000, 9e4], [3, 4, 4, 4]]))
    window, rng = ("1970-01-02", "1970-01-03"), np.random.default_rng(0)
    with pytest.raises(ConfigError, match=r"file's own unit.*'options.unit'"):
        prepare(days, window=window, rng=rng)
    assert lists(prepare(replace(days, in_seconds=True, dated=True), window=window, rng=rng)) == [[3, 0]]
    assert lists(prepare(days, window=(90000, 90001), rng=rng)) == [[3, 0]]
    with pytest.raises(DataError, match=r"no cascade begins in the window .7, 8.; cascades begin from 0 to 90000"):
        prepare(days, window=(7, 8), rng=rng)


def test_an_account_that_does_not_add_up_is_no_import(imported) -> None:
    with pytest.raises(DataError, match="the account does not add up"):
        replace(imported, cascades=imported.cascades.take([0, 1]), part=imported.part[:2], lines=imported.lines[:2])


def test_a_window_or_lengths_that_hold_nothing_are_told() -> None:
    cascades = Imported.of(CASCADES)
    rng = np.random.default_rng(0)
    with pytest.raises(ConfigError, match=r"window.*a start before the end"):
        prepare(cascades, window=(10, 5), rng=rng)
    with pytest.raises(ConfigError, match=r"longest.*at least 3"):
        prepare(cascades, shortest=3, longest=2, rng=rng)


def test_network(imported) -> None:
    kept = filters.in_network(imported)
    assert lists(kept) == [[0, 1, 2], [3, 0], [2, 1, 3]], "4 has no link"
    assert changes(kept) == [(0, -1, -1)]
    with pytest.raises(ConfigError, match="no network"):
        filters.in_network(Imported.of(CASCADES))


def test_seen_in_training(imported) -> None:
    seen = np.array([True, True, True, False, False, False])
    kept, known = filters.seen_in_training(imported, np.array([False, True, True]), seen)
    assert known.tolist() == [True, False, True]
    assert lists(kept) == [[0, 1, 2], [2, 1]], "3 and 4 are not in training; 3 is a source"
    assert changes(kept) == [(-1, 0, -2), (0, -2, -2)]


@pytest.mark.parametrize("rule", ["keep", "random", "drop"])
def test_ties(imported, rule) -> None:
    treated = ties.resolve(imported, rule=rule, rng=np.random.default_rng(0))
    if rule == "keep":
        assert lists(treated) == lists(imported)
    elif rule == "drop":
        assert lists(treated) == [[0, 2], [3, 0], [2, 4]]
        assert changes(treated) == [(0, -1, -3)]
    else:
        assert [sorted(cascade) for cascade in lists(treated)] == [sorted(cascade) for cascade in lists(imported)]
    if rule != "drop":
        assert treated.account[-1].note.startswith("3 steps")


def test_random_ties_are_uniform_and_leave_other_orders() -> None:
    cascades = CascadeSet.of([[0, 1, 2, 3, 4]] * 6000, 5, [[0, 0, 1, 1, 2]] * 6000)
    mixed = ties.resolve(Imported.of(cascades), rule="random", rng=np.random.default_rng(0)).cascades.users.reshape(
        -1, 5
    )
    other = ties.resolve(Imported.of(cascades), rule="random", rng=np.random.default_rng(1)).cascades.users
    assert (mixed.ravel() != other).any(), "the order is that of the stream"
    assert np.all(mixed[:, [0, 1, 4]] == [0, 1, 4]), "the source stays, and so do users alone at their time"
    assert abs(np.mean(mixed[:, 2] == 2) - 0.5) < 5 * 0.5 / np.sqrt(6000)


def test_leakage() -> None:
    train = CascadeSet.of([[0, 1], [1, 2]], 3, [[0, 1], [5, 6]])
    test = CascadeSet.of([[1, 2], [2, 1]], 3, [[4, 6], [8, 9]])
    found = leakage.check(train, test)
    assert (found.same, found.later) == (1, 1)
    assert len(found.warnings) == 2
    assert leakage.check(train.take([0]), test).warnings == ()
    assert leakage.check(train.take([0]), test).said == "no leak found"
    untimed = leakage.check(CascadeSet.of([[0, 1]], 3), CascadeSet.of([[1, 2]], 3))
    relative = leakage.check(CascadeSet.of([[0, 1]], 3, [[0, 1]]), CascadeSet.of([[1, 2]], 3, [[0, 3]]))
    assert untimed == relative, "times from each cascade's own begin say nothing of the others"
    assert untimed.later is None
    assert untimed.said.startswith("no leak found; whether training knows the future cannot be told")


def test_prepare_applies_what_is_asked_for_and_nothing_else(imported) -> None:
    rng = np.random.default_rng(0)
    assert prepare(imported, rng=rng) is imported
    kept = prepare(imported, window=(0, 6), in_network=True, ties="drop", shortest=2, rng=rng)
    assert lists(kept) == [[0, 2], [2, 1]]
    assert [row.step.split()[0] for row in kept.account] == [
        "read",
        "cascades",
        "participations",
        *["users"] * 2,
        "cascades",
    ]
    with pytest.raises(DataError, match="no cascade is left after the step 'cascades of fewer than 9 users left out'"):
        prepare(imported, shortest=9, rng=rng)


def test_a_window_may_be_two_dates() -> None:
    day = 86400.0
    cascades = CascadeSet.of([[0, 1], [1, 0]], 2, [[3 * day, 4 * day], [9 * day, 9 * day]])
    imported = replace(Imported.of(cascades), in_seconds=True, dated=True)
    kept = prepare(imported, window=("1970-01-02", "1970-01-05"), rng=np.random.default_rng(0))
    assert lists(kept) == [[0]]
    with pytest.raises(ConfigError, match=r"window.*yesterday.*a date such as"):
        prepare(imported, window=("yesterday", 5), rng=np.random.default_rng(0))
    with pytest.raises(ConfigError, match="two values, start and end"):
        prepare(imported, window=(1, 2, 3), rng=np.random.default_rng(0))
