"""What is done to imported cascades before anything is drawn from them: the key `prepare` of a real data set."""

from typing import Literal

import numpy as np
import pyarrow as pa

from cascurve.empirical import filters
from cascurve.empirical.ties import resolve
from cascurve.errors import ConfigError, DataError
from cascurve.formats import times
from cascurve.formats.imported import Imported

LIKELY = (631152000.0, 4102444800.0)
"""Seconds since 1970 at the beginning of 1990 and of 2100. Numbers that are known to be seconds, but of which most are
outside, count from some other moment: no file says so of its numbers."""


def prepare(
    imported: Imported,
    *,
    window: tuple[float | str, float | str] | None = None,
    in_network: bool = False,
    ties: Literal["keep", "random", "drop"] = "keep",
    shortest: int = 1,
    longest: int | None = None,
    rng: np.random.Generator,
) -> Imported:
    """Apply the steps that are asked for, in the order of the parameters; each has its row in the account.

    Parameters
    ----------
    window : [start, end): cascades that begin in it, cut at its end; times as in the import (seconds, or the file's
        unit where that is not known), or, where they count from 1970, dates such as 2010-09-20, in UTC.
    in_network : leave out users without a link.
    ties : order of users at the same time: "keep" the file's, "random" (the source stays first), or "drop" all but
        the first of them.
    shortest, longest : leave out cascades of fewer or more users, the source included.
    rng : for random ties.

    Raises
    ------
    ConfigError : a filter that the data do not support.
    DataError : no cascade is left.
    """
    if longest is not None and longest < shortest:
        raise ConfigError("longest", longest, f"at least {shortest}, the value of 'shortest'")
    kept = imported
    if window is not None:
        if len(window) != 2:
            raise ConfigError("window", list(window), "two values, start and end")
        kept = filters.in_window(kept, *_moments(kept, window))
        if not len(kept.cascades):
            told = f"no cascade begins in the window {list(window)}; {_begins(imported)}"
            raise DataError(told, remedy="widen the window")
    if in_network:
        kept = filters.in_network(kept)
    if ties != "keep":
        kept = resolve(kept, rule=ties, rng=rng)
    if shortest > 1 or longest is not None:
        kept = filters.by_length(kept, shortest, longest)
    if not len(kept.cascades):
        raise DataError(f"no cascade is left after the step '{kept.account[-1].step}'", remedy="widen the filter")
    return kept


def _moments(imported: Imported, window: tuple[float | str, float | str]) -> list[float]:
    """Start and end as times of the import; dates only where its times are known to count from 1970."""
    dates = any(isinstance(end, str) for end in window)
    if dates and imported.cascades.times is not None and not imported.in_seconds:
        found = f"numbers in the file's own unit, since that is not known; {_begins(imported)}"
        remedy = "give such numbers, or name the unit by the key 'options.unit'"
        raise ConfigError("window", list(window), found, remedy)
    moments = [_moment(end) for end in window]
    if imported.cascades.times is not None and moments[0] >= moments[1]:
        raise ConfigError("window", list(window), "a start before the end")
    if dates and imported.cascades.times is not None and not imported.dated:
        middle = np.median(imported.cascades.times[imported.cascades.offsets[:-1]])
        if not LIKELY[0] <= middle < LIKELY[1]:
            found = f"numbers of seconds, since the times do not seem to count from 1970; {_begins(imported)}"
            remedy = "give such numbers, or, if the unit is wrong, name it by the key 'options.unit'"
            raise ConfigError("window", list(window), found, remedy)
    return moments


def _begins(imported: Imported) -> str:
    assert imported.cascades.times is not None
    begins = imported.cascades.times[imported.cascades.offsets[:-1]]
    return f"cascades begin from {begins.min():.15g} to {begins.max():.15g}"


def _moment(value: float | str) -> float:
    if not isinstance(value, str):
        return float(value)
    seconds = float(times.dates(pa.array([value]), 0.0)[0])
    if np.isnan(seconds):
        raise ConfigError("window", value, "a number, or a date such as 2010-09-20 or 2010-09-20 12:00:00")
    return seconds
