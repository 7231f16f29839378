"""Scores put between a floor (chance) and a ceiling (a perfect ranking, or an oracle)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def chance_corrected(value: ArrayLike, chance: ArrayLike) -> NDArray[np.float64]:
    """(value - chance) / (1 - chance): 0 = as good as chance, 1 = perfect; for measures whose best value is 1."""
    return between(value, chance, 1.0)


def between(value: ArrayLike, floor: ArrayLike, ceiling: ArrayLike) -> NDArray[np.float64]:
    """(value - floor) / (ceiling - floor); NaN where floor and ceiling are equal.

    Works for measures where smaller is better, too: there the ceiling lies below the floor.
    """
    v, low, high = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (value, floor, ceiling)))
    return np.divide(v - low, high - low, out=np.full(v.shape, np.nan), where=high != low)
