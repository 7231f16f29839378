"""Slices of time: equal steps from a start on, or all of it as one slice."""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError

KBA_START, KBA_END = 1326334731.0, 1338508800.0
"""The evaluation range of TREC KBA 2012, in seconds since 1970."""

SECONDS = {"minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2592000.0}
"""Width of the slices that have a name; a month has thirty days."""

FITTING = "auto"
"""Name of a width that fits the data (`windows.windows`)."""

MOST_SLICES = 1_000_000
"""More than that are no use to anyone, and do not fit into memory for each entity."""

SINCE_1970 = {"seconds": (1e8, 4.2e9), "milliseconds": (1e11, 4.2e12)}
"""Times from 1973 to 2103 as numbers."""

Floats = NDArray[np.float64]

OWN = "u"
"""The unit of the times, whatever it is."""

UNITS = {OWN: 1.0, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


@dataclass(frozen=True)
class Slicing:
    """Slices ``[start + i * width, start + (i + 1) * width)``, i = 0 … count - 1.

    Attributes
    ----------
    name : as it was asked for, such as "week" or "36h".
    start, width : in the unit of the times.
    """

    name: str
    start: float
    width: float
    count: int

    @property
    def lows(self) -> Floats:
        """Where each slice begins; shape (count,)."""
        return self.start + self.width * np.arange(self.count, dtype=np.float64)

    def index(self, times: Floats) -> NDArray[np.int64]:
        """The slice of each time, -1 outside of all of them."""
        place = np.floor((times - self.start) / self.width)
        inside = (place >= 0) & (place < self.count)
        return np.where(inside, place, -1).astype(np.int64)


def slicing(name: str, start: float, end: float, where: str = "slices") -> Slicing:
    """Slices of a kind while they begin before `end`.

    The last one may reach beyond `end`, as in the released TAIA code; the one slice of "all" ends there.

    Parameters
    ----------
    name : "all"; a name of `SECONDS`; or a number and one of `UNITS`, such as "36h". Without one it is in the unit of
        the times, as with "u".
    where : what the error calls it.
    """
    if not end > start:
        raise ConfigError(where, [start, end], "an end after the start")
    if name == "all":
        return Slicing(name, start, end - start, 1)
    width = width_of(name, where)
    count = max(1, math.ceil((end - start) / width))
    if count > MOST_SLICES:
        raise ConfigError(where, name, f"at most {MOST_SLICES:,} slices; from {start:.10g} to {end:.10g} are {count:,}")
    return Slicing(name, start, width, count)


def is_calendar(name: str) -> bool:
    """Whether a width is in seconds, minutes, … rather than in the unit of the times."""
    return name in SECONDS or (name not in ("all", FITTING) and name[-1:].isalpha() and not name.endswith(OWN))


def unit_of(times: Floats) -> str:
    """ "seconds" or "milliseconds" where all times look like such since 1970; else empty."""
    if not len(times):
        return ""
    low, high = float(times.min()), float(times.max())
    return next((unit for unit, (least, most) in SINCE_1970.items() if least <= low and high <= most), "")


def width_of(name: str, where: str, others: str = "") -> float:
    """Width of a kind of slices other than "all" and "auto"; raises `ConfigError` for a name that is none.

    Parameters
    ----------
    others : what else stands there, for the error.
    """
    if name in SECONDS:
        return SECONDS[name]
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", name)
    if match and match[2] in ("", *UNITS) and float(match[1]) > 0:
        return float(match[1]) * UNITS.get(match[2], 1.0)
    named, units = ", ".join(SECONDS), ", ".join(UNITS)
    raise ConfigError(
        where, name, f"{others}all, {named}, or a number above 0 and one of the units {units}, such as 36h"
    )
