"""`CascadeSet` holds what it promises and survives the disk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError

cascade_lists = st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=12, unique=True), max_size=12)


@given(cascade_lists, st.data())
def test_take_equals_list_indexing(cascades: list[list[int]], data: st.DataObject) -> None:
    whole = CascadeSet.of(cascades, 21)
    chosen = data.draw(st.lists(st.integers(0, max(len(cascades) - 1, 0)), max_size=0 if not cascades else 8))
    assert [list(cascade) for cascade in whole.take(np.array(chosen, int))] == [cascades[i] for i in chosen]


@pytest.mark.parametrize("times", [None, [[0.0, 1.5, 1.5, 2.0], [3.0, 4.0, 5.0]]])
def test_round_trip(tmp_path, times) -> None:
    cascades = CascadeSet.of([[0, 1, 2, 3], [0, 2, 1]], 6, times)
    cascades.write(tmp_path / "c.parquet", '{"seed": 1}')
    back = CascadeSet.read(tmp_path / "c.parquet")
    assert back.n_users == 6
    np.testing.assert_array_equal(back.users, cascades.users)
    np.testing.assert_array_equal(back.offsets, cascades.offsets)
    assert (back.times is None) == (times is None)
    if times is not None:
        np.testing.assert_array_equal(back.times, cascades.times)


def test_sources_and_lengths() -> None:
    cascades = CascadeSet.of([[4, 1, 2], [3], [0, 2]])
    assert cascades.sources.tolist() == [4, 3, 0]
    assert cascades.lengths.tolist() == [3, 1, 2]
    assert cascades.take(np.array([False, True, True])).sources.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("cascades", "times", "message"),
    [
        ([[0, 1], [2, 0, 2]], None, "user twice in cascade 1, position 2"),
        ([[0, 1], [5]], None, "user out of range in cascade 1, position 0"),
        ([[-1]], None, "user out of range"),
        ([[0], [1, 2]], [[0.0], [2.0, 1.0]], "time decreases in cascade 1, position 1"),
        ([[0, 1]], [[0.0, float("nan")]], "not a finite number in cascade 0, position 1"),
        ([[0], []], None, "cascade 1 is empty"),
        ([[0, 1]], [[0.0]], "one time per user"),
    ],
)
def test_breaches_are_named(cascades, times, message) -> None:
    with pytest.raises(DataError, match=message):
        CascadeSet.of(cascades, 4, times)


def test_arrays_are_read_only() -> None:
    cascades = CascadeSet.of([[0, 1]])
    with pytest.raises(ValueError, match="read-only"):
        cascades.users[0] = 1


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DataError, match="do not fit int32"):
        CascadeSet(2**40, np.array([0, 1]), np.array([2**35]))
