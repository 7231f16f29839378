"""The time of a source that stands in the file without one."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

SourceTime = Literal["just_before", "with_first"]
"""The largest number below the first recipient's time, so that no tie is invented; or that time itself."""


def with_sources(times: NDArray[np.float64], starts: NDArray[np.int64], rule: SourceTime) -> NDArray[np.float64]:
    """The times, with those of sources that have none filled in.

    Parameters
    ----------
    times : of all participations of some whole cascades, shape (total,); NaN where not known.
    starts : index of each cascade's source in `times`, ascending.

    Returns
    -------
    NaN stays where no recipient has a time. Where a line is not sorted, the earliest time of the cascade is taken, so
    that the source stays first when it is sorted.
    """
    filled = times.copy()
    if len(starts):
        earliest = np.fmin.reduceat(times, starts)
        made = np.nextafter(earliest, -np.inf) if rule == "just_before" else earliest
        filled[starts] = np.where(np.isnan(times[starts]), made, times[starts])
    return filled
