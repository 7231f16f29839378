"""Windows of time over infections: a number of equal ones, of a given width, or of a width that fits the data."""

from collections.abc import Iterator

import numpy as np

from cascurve.errors import CellError, ConfigError
from cascurve.timeaware.infections import Infections
from cascurve.timeaware.slices import FITTING, OWN, SECONDS, Floats, Slicing, is_calendar, slicing

MOST = 20
"""Windows with an infection that "auto" makes at most."""
SPANS = tuple(
    number * SECONDS[unit]
    for unit, numbers in {
        "minute": (1, 2, 5, 10, 15, 30), "hour": (1, 2, 3, 6, 12), "day": (1, 2, 4), "week": (1, 2),
        "month": (1, 2, 3, 6, 12, 24, 60, 120),
    }.items()
    for number in numbers
)  # fmt: skip
"""Widths that "auto" chooses from where times are in seconds since 1970."""


def windows(found: Infections, asked: int | str) -> Slicing:
    """Slices from the first infection to the last.

    Parameters
    ----------
    asked : that many equal ones; or a width (`slices.slicing`); or "auto", a round width: from a minute to ten years
        where times are in seconds since 1970, else 1, 2 or 5 times a power of ten. Of the widths with which at most
        `MOST` windows hold an infection it is the one with the most such windows; of several, the longest.

    Raises
    ------
    CellError : a width that makes one window of all infections, or too many, or that is in seconds where times are not.
    """
    start, last = float(found.time.min()), float(found.time.max())
    if asked == FITTING:
        return _fitting(found, start, last)
    if isinstance(asked, str):
        return _of_width(found, asked, start, last)
    width = (last - start) / asked if last > start else 1.0
    # a hair wider, so that rounding leaves the last infection inside
    return Slicing(f"{asked} equal", start, width * (1 + 1e-12), asked)


def _fitting(found: Infections, start: float, last: float) -> Slicing:
    since = np.sort(found.time) - start
    counts = {width: _occupied(since, width) for width in _round_widths(found.unit, last - start)}
    few = {width: count for width, count in counts.items() if count <= MOST}
    if not few:
        return Slicing(FITTING, start, 1.0, 1)  # all at one time
    width = max(few, key=lambda width: (few[width], width))
    return Slicing(FITTING, start, width, int(np.floor((last - start) / width)) + 1)


def _round_widths(unit: str, span: float) -> Iterator[float]:
    """Ascending, from a millionth of the span to more than all of it."""
    if span <= 0:
        return
    if unit == "seconds" and span >= SPANS[0]:
        yield from (width for width in SPANS if width >= span / 1e6)
        return
    power = int(np.floor(np.log10(span))) - 5
    for exponent in range(power, power + 7):
        yield from (digit * 10.0**exponent for digit in (1, 2, 5))


def _occupied(since: Floats, width: float) -> int:
    return int(np.count_nonzero(np.diff(np.floor(since / width)))) + 1


def _of_width(found: Infections, asked: str, start: float, last: float) -> Slicing:
    times = f"the infections lie between {start:.10g} and {last:.10g}"
    own = f"or to a width in the times' unit such as 5{OWN}"
    remedy = f"set timeaware.slices to {FITTING}, to a number of windows such as 12, {own}"
    if is_calendar(asked) and found.unit == "milliseconds":
        raise CellError(f"slices '{asked}' is a width in seconds, but the times look like milliseconds; {remedy}")
    try:
        step = slicing(asked, start, float(np.nextafter(last, np.inf)))
    except ConfigError:  # the width itself was checked with the study
        raise CellError(f"slices '{asked}' makes far too many windows: {times}; {remedy}") from None
    if step.count == 1 and asked != "all":
        what = f"{asked} is {step.width:.10g} in seconds" if is_calendar(asked) else f"{asked} is longer"
        raise CellError(
            f"slices '{asked}' makes one window of everything: {times}, {last - start:.10g} apart, and {what}; "
            f"if the times are in seconds, set a shorter width; else {remedy}"
        )
    return step
