"""Windows over infections: equal ones, a width that fits, and widths that do not fit the times."""

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError
from cascurve.timeaware.infections import Infections, infections
from cascurve.timeaware.slices import Slicing
from cascurve.timeaware.windows import MOST, SPANS, windows

START = 1_330_000_000.0  # seconds since 1970


def at(times: np.ndarray) -> Infections:
    """Infections of one user after another by one cascade, its source at the first time."""
    times = np.sort(np.asarray(times, float))
    users = list(range(len(times) + 1))
    return infections(CascadeSet.of([users], len(users), [[times[0], *times]]))


def occupied(found: Infections, step: Slicing) -> int:
    return len(set(step.index(found.time).tolist()))


def test_windows_hold_the_first_and_the_last_infection() -> None:
    found = at([0.1, 0.2, 0.7])
    for count in (1, 3, 7):
        step = windows(found, count)
        assert step.count == count
        assert step.index(found.time)[[0, -1]].tolist() == [0, count - 1]


@pytest.mark.parametrize(
    ("times", "choices"),
    [
        (START + 86400 * np.random.default_rng(1).random(400), SPANS),
        (START + 2e8 * np.random.default_rng(2).random(400), SPANS),
        ([1.0, 2.0, 2.0, 3.5, 7.0], [d * 10.0**k for k in range(-4, 2) for d in (1, 2, 5)]),
        (50 * np.random.default_rng(3).random(300), [d * 10.0**k for k in range(-4, 3) for d in (1, 2, 5)]),
        # one infection long before the others takes none of their windows
        (
            np.append(1000 + np.random.default_rng(4).random(300), 0),
            [d * 10.0**k for k in range(-3, 4) for d in (1, 2, 5)],
        ),
    ],
)
def test_a_fitting_width_is_round_and_makes_few_windows_but_not_fewer_than_it_must(times, choices) -> None:
    found = at(times)
    step = windows(found, "auto")
    assert np.all(step.index(found.time) >= 0)
    counts = {}
    for width in choices:  # plainly: the number of each infection's window
        counts[width] = len({int((time - found.time.min()) // width) for time in found.time.tolist()})
    most = max(count for count in counts.values() if count <= MOST)
    assert step.width == pytest.approx(max(width for width, count in counts.items() if count == most), rel=1e-12)
    assert occupied(found, step) == most > (MOST / 3 if len(times) > 10 else 0)


def test_one_time_is_one_window() -> None:
    assert windows(at([3.0, 3.0]), "auto").count == 1


@pytest.mark.parametrize(
    ("times", "asked", "words"),
    [
        (
            [1.0, 30.0, 57.0],
            "week",
            ["'week' makes one window", "between 1 and 57", "56 apart", "604800 in seconds", "auto"],
        ),
        ([1.0, 30.0, 57.0], "90", ["'90' makes one window", "90 is longer", "such as 12"]),
        ([1.33e12, 1.34e12], "week", ["'week' is a width in seconds", "look like milliseconds"]),
        ([0.0, 1e13], "minute", ["'minute' makes far too many windows", "between 0 and 1e+13"]),
    ],
)
def test_a_width_that_does_not_fit_is_told(times, asked, words) -> None:
    with pytest.raises(CellError) as error:
        windows(at(times), asked)
    for word in words:
        assert word in str(error.value)
    assert windows(at(times), "all").count == 1


def test_a_width_in_the_times_own_unit_needs_no_clock() -> None:
    assert windows(at([1.33e12, 1.33e12 + 12]), "5u").count == 3


def test_weeks_of_seconds_are_weeks() -> None:
    step = windows(at([START, START + 15 * 86400]), "week")
    assert (step.width, step.count) == (7 * 86400, 3)
