"""What a time token means: a number in some unit, or a calendar date."""

import math
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError

Unit = Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"]
"""Unit of a file's times, which are turned into seconds; "as_given": not known, and left as it is."""

SECONDS = {"as_given": 1.0, "milliseconds": 1.0, "seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}
ZERO, NINE, POINT, PLUS, MINUS, EXPONENT = (ord(character) for character in "09.+-e")
DATES = ("%Y-%m-%d-%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d")
ZONED = ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%SZ", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z")
"""Dates that say their own zone."""
MOST_HOURS = 14
"""That a clock on Earth is ahead of UTC, or behind."""


class Clock:
    """How the times of some files are told: numbers in a unit, dates by a clock; it counts the dates that it met.

    Parameters
    ----------
    unit : of times that are numbers.
    utc_offset : hours that the clock of dates is ahead of UTC; a date that says its own zone goes by that.

    Raises
    ------
    ConfigError : an offset that no clock has.
    """

    def __init__(self, unit: Unit, utc_offset: float = 0.0) -> None:
        if not -MOST_HOURS <= utc_offset <= MOST_HOURS:
            raise ConfigError("utc_offset", utc_offset, f"hours from {-MOST_HOURS} to {MOST_HOURS}")
        self.unit = unit
        self.utc_offset = utc_offset
        self.dates = 0

    def read(self, strings: pa.StringArray) -> NDArray[np.float64]:
        """Each text as a number, in seconds, or, where it is none, as a date in seconds since 1970 UTC; else NaN."""
        values = in_seconds(numbers(strings), self.unit)
        others = np.isnan(values)
        if others.any():
            values[others] = dates(strings.filter(pa.array(others)), self.utc_offset)
            self.dates += int(np.count_nonzero(others & ~np.isnan(values)))
        return values

    @property
    def in_seconds(self) -> bool:
        """Whether what was read is known to be seconds; else it is in the file's own unit."""
        return self.unit != "as_given" or self.dates > 0

    def said(self) -> str:
        """Unit and zone of the times that were read, for the account."""
        given = "" if self.unit in ("seconds", "as_given") else f", numbers given in {self.unit}"
        if self.dates:
            zone = f"UTC{self.utc_offset:+g}" if self.utc_offset else "UTC"
            return f"times in seconds since 1970 UTC{given}; {self.dates} were dates, by a clock of {zone} (utc_offset)"
        unit = f"seconds{given}" if self.in_seconds else "the unit of the file, which is not known (option unit)"
        return f"times in {unit}; no dates, so no time zone enters"


def in_seconds(times: NDArray[np.float64], unit: Unit) -> NDArray[np.float64]:
    """Times of the unit as seconds, the order kept."""
    if unit == "milliseconds":
        return times / 1000.0  # rounded once, where a product with 0.001 is rounded twice
    return times if SECONDS[unit] == 1.0 else times * SECONDS[unit]


def is_number(text: str) -> bool:
    """Whether `numbers` would take it."""
    return not math.isnan(_number(text)) and not math.isinf(_number(text))


def numbers(strings: pa.StringArray) -> NDArray[np.float64]:
    """Decimal numbers, rounded correctly; NaN where the text is no finite number."""
    try:
        values = pc.cast(strings, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        dated = pc.match_substring_regex(strings, "[0-9]-|:").to_numpy(zero_copy_only=False)  # in no number
        values = np.full(len(strings), np.nan)
        others = strings.filter(pa.array(~dated))
        values[~dated] = numbers(others) if dated.any() else [_number(text) for text in others.to_pylist()]
    return np.where(np.isfinite(values), values, np.nan)


def plain_numbers(data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """The numbers ``data[starts[i]:ends[i]]`` in plain notation; NaN where `numbers` has to look.

    Plain are up to 15 digits and a power of ten up to 22: both are exact, so that one multiplication or division
    rounds correctly (Clinger 1990). It saves the way through Arrow strings, several times as long.
    """
    return _plain_numbers(data, starts, ends, POWERS)


POWERS = np.array([float(f"1e{power}") for power in range(23)])


def dates(strings: pa.StringArray, utc_offset: float) -> NDArray[np.float64]:
    """Dates such as ``2012-01-31``, with or without a time of day, as seconds since 1970 UTC; NaN where there is none.

    Parameters
    ----------
    utc_offset : hours that the clock of the dates is ahead of UTC; those that say their own zone go by that.
    """
    seconds = np.full(len(strings), np.nan)
    for pattern in (*DATES, *ZONED):
        rest = np.isnan(seconds)
        if not rest.any():
            break
        parsed = pc.strptime(strings.filter(pa.array(rest)), format=pattern, unit="s", error_is_null=True)
        values = pc.cast(parsed, pa.int64()).to_numpy(zero_copy_only=False).astype(np.float64)
        seconds[rest] = values - (0.0 if pattern in ZONED else 3600.0 * utc_offset)
    return np.where(_in_the_calendar(strings), seconds, np.nan)


def _in_the_calendar(strings: pa.StringArray) -> NDArray[np.bool_]:
    """Whether each text begins with a day that there is; Arrow takes 2012-02-31 for 2 March, and 12-1-3 for year 12."""
    days = pc.struct_field(pc.extract_regex(strings, r"^(?P<day>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"), "day")
    parsed = pc.strptime(days, format="%Y-%m-%d", unit="s", error_is_null=True)
    valid = pc.equal(pc.day(parsed), pc.cast(pc.replace_substring_regex(days, "^.*-", ""), pa.int64()))
    return pc.fill_null(valid, False).to_numpy(zero_copy_only=False)


def _number(text: str) -> float:
    try:
        return float(pc.cast(pa.scalar(text, pa.string()), pa.float64()).as_py())
    except pa.ArrowInvalid:
        return np.nan


@njit(cache=True)
def _plain_numbers(
    data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], powers: NDArray[np.float64]
) -> NDArray[np.float64]:
    values = np.full(len(starts), np.nan)
    for token in range(len(starts)):
        place, end = starts[token], ends[token]
        negative = place < end and data[place] == MINUS
        place += int(negative)
        digits, mantissa, power = 0, np.int64(0), 0
        while place < end and data[place] >= ZERO and data[place] <= NINE:
            mantissa = 10 * mantissa + np.int64(data[place] - ZERO)
            digits += 1
            place += 1
            if digits > 15:
                break
        if 0 < digits <= 15 and place + 1 < end and data[place] == POINT:
            place += 1
            while place < end and data[place] >= ZERO and data[place] <= NINE:
                mantissa = 10 * mantissa + np.int64(data[place] - ZERO)
                digits += 1
                power -= 1
                place += 1
                if digits > 15:
                    break
        if place + 2 < end and data[place] == EXPONENT and (data[place + 1] == PLUS or data[place + 1] == MINUS):
            sign = 1 if data[place + 1] == PLUS else -1
            place += 2
            exponent: Any = 0
            while place < end and data[place] >= ZERO and data[place] <= NINE and exponent < 100:
                exponent = 10 * exponent + np.int64(data[place] - ZERO)
                place += 1
            power += sign * exponent
        if place != end or digits == 0 or digits > 15 or abs(power) > 22:
            continue
        value = np.float64(mantissa)
        value = value * powers[power] if power >= 0 else value / powers[-power]
        values[token] = -value if negative else value
    return values
