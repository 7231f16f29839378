"""What a time token means: a number in some unit, or a calendar date."""

import math
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Unit = Literal["as_given", "milliseconds", "seconds", "minutes", "hours", "days"]
"""Unit of a file's times, which are turned into seconds; "as_given": not known, and left as it is."""

SECONDS = {"as_given": 1.0, "milliseconds": 1.0, "seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}
DATES = ("%Y-%m-%d-%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d")


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
        values = np.array([_number(text) for text in strings.to_pylist()], np.float64)
    return np.where(np.isfinite(values), values, np.nan)


def dates(strings: pa.StringArray, utc_offset: float) -> NDArray[np.float64]:
    """Dates such as ``2012-01-31``, with or without a time of day, as seconds since 1970 UTC; NaN where there is none.

    Parameters
    ----------
    utc_offset : hours that the clock of the dates is ahead of UTC.
    """
    seconds = np.full(len(strings), np.nan)
    for pattern in DATES:
        parsed = pc.strptime(strings, format=pattern, unit="s", error_is_null=True)
        values = pc.cast(parsed, pa.int64()).to_numpy(zero_copy_only=False).astype(np.float64)
        seconds = np.where(np.isnan(seconds), values, seconds)
    return seconds - 3600.0 * utc_offset


def numbers_or_dates(strings: pa.StringArray, utc_offset: float) -> NDArray[np.float64]:
    """Each text as a number or, where it is none, as a date; NaN where it is neither."""
    values = numbers(strings)
    return np.where(np.isnan(values), dates(strings, utc_offset), values) if np.isnan(values).any() else values


def _number(text: str) -> float:
    try:
        return float(pc.cast(pa.scalar(text, pa.string()), pa.float64()).as_py())
    except pa.ArrowInvalid:
        return np.nan
