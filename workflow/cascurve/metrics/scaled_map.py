"""SMAP, eq. 7 of the paper: mean average precision freed of the size of the task."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def scaled_map(mean_average_precision: ArrayLike, n_users: ArrayLike, length: ArrayLike) -> NDArray[np.float64]:
    """MAP · N / L.

    Parameters
    ----------
    n_users : N, all users, the source included.
    length : L, users of a cascade, the source included.
    """
    return np.asarray(mean_average_precision, np.float64) * np.asarray(n_users) / np.asarray(length)
