import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.disorder.parts import by_source, by_window, equal_windows
from cascurve.errors import DataError

CASCADES = CascadeSet.of([[2, 0], [1, 2], [2, 1]], times=[[5.0, 6.0], [1.0, 9.0], [3.0, 4.0]])


def test_by_source_keeps_the_stored_order() -> None:
    found = {source: [c.tolist() for c in part] for source, part in by_source(CASCADES)}
    assert found == {1: [[1, 2]], 2: [[2, 0], [2, 1]]}


def test_windows_are_half_open_and_go_by_the_source() -> None:
    found = [(start, end, part.sources.tolist()) for start, end, part in by_window(CASCADES, [1, 3, 5])]
    assert found == [(1.0, 3.0, [1]), (3.0, 5.0, [2])]


def test_equal_windows_hold_every_cascade_once() -> None:
    rng = np.random.default_rng(0)
    begins = rng.random(100)
    cascades = CascadeSet(1, np.arange(101), np.zeros(100, np.int32), begins)
    sizes = [len(part) for _, _, part in equal_windows(cascades, 4)]
    assert sum(sizes) == 100 and max(sizes) - min(sizes) <= 2
    tied = CascadeSet(1, np.arange(11), np.zeros(10, np.int32), np.full(10, 7.0))
    assert [len(part) for _, _, part in equal_windows(tied, 3)] == [10]


def test_windows_need_times_and_rising_edges() -> None:
    with pytest.raises(DataError, match="no times"):
        list(by_window(CascadeSet.of([[0]]), [0, 1]))
    with pytest.raises(DataError, match="rising"):
        list(by_window(CASCADES, [1, 1]))
