"""What is done to imported cascades before anything is drawn from them: the key `prepare` of a real data set."""

from typing import Literal

import numpy as np
import pyarrow as pa

from cascurve.empirical import filters
from cascurve.empirical.ties import resolve
from cascurve.errors import ConfigError, DataError
from cascurve.formats import times
from cascurve.formats.imported import Imported


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
        unit where that is not known), or dates such as 2010-09-20, in UTC.
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
    kept = imported
    if window is not None:
        if len(window) != 2:
            raise ConfigError("window", list(window), "two values, start and end")
        if any(isinstance(end, str) for end in window) and not kept.in_seconds:
            expected = "numbers in the file's own unit, since that is not known (the reader's option 'unit' says it)"
            raise ConfigError("window", list(window), expected)
        kept = filters.in_window(kept, *map(_moment, window))
        if not len(kept.cascades):
            assert imported.cascades.times is not None
            begins = imported.cascades.times[imported.cascades.offsets[:-1]]
            found = f"they begin from {begins.min():.15g} to {begins.max():.15g}"
            raise DataError(f"no cascade begins in the window {list(window)}; {found}", remedy="widen the window")
    if in_network:
        kept = filters.in_network(kept)
    if ties != "keep":
        kept = resolve(kept, rule=ties, rng=rng)
    if shortest > 1 or longest is not None:
        kept = filters.by_length(kept, shortest, longest)
    if not len(kept.cascades):
        raise DataError(f"no cascade is left after the step '{kept.account[-1].step}'", remedy="widen the filter")
    return kept


def _moment(value: float | str) -> float:
    if not isinstance(value, str):
        return float(value)
    seconds = float(times.dates(pa.array([value]), 0.0)[0])
    if np.isnan(seconds):
        raise ConfigError("window", value, "a number, or a date such as 2010-09-20 or 2010-09-20 12:00:00")
    return seconds
