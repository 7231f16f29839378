"""How many recipients a cut through a group of ties lets through."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def hypergeometric(size: int, relevant: int, drawn: int) -> tuple[int, NDArray[np.float64]]:
    """(fewest, probabilities): recipients among `drawn` of `size` tied candidates, `relevant` of them recipients.

    ``probabilities[i]`` belongs to ``fewest + i``. From the mode outward, so that nothing underflows and no
    factorial is needed.
    """
    fewest = max(0, relevant - (size - drawn))
    most = min(relevant, drawn)
    mode = min(max((drawn + 1) * (relevant + 1) // (size + 2), fewest), most)
    weights = np.ones(most - fewest + 1)
    for x in range(mode, most):
        ratio = (relevant - x) * (drawn - x) / ((x + 1) * (size - relevant - drawn + x + 1))
        weights[x + 1 - fewest] = weights[x - fewest] * ratio
    for x in range(mode, fewest, -1):
        ratio = x * (size - relevant - drawn + x) / ((relevant - x + 1) * (drawn - x + 1))
        weights[x - 1 - fewest] = weights[x - fewest] * ratio
    return fewest, weights / weights.sum()
