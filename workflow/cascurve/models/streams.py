"""Random streams of queries: a query's draws depend on its own users, not on the batch it stands in."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.seeding import split_mix


@njit(cache=True)
def prefix_index(users: NDArray[np.int32]) -> Any:
    """A uint64 for a sequence of users, by which to `cascurve.seeding.start` its stream."""
    index = np.uint64(0)
    for user in users:
        index = split_mix(index + np.uint64(user + 1))
    return index
