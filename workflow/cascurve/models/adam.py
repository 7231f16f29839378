"""Adam (Kingma & Ba 2015), in place."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

FIRST, SECOND, LEAST = 0.9, 0.999, 1e-8
"""Decay of the two moments, and what keeps the division finite: the authors' values."""


class Adam:
    """State of the optimiser for some arrays; `step` changes them.

    Parameters
    ----------
    clip : gradients whose norm, over all arrays together, is above this are scaled down to it.
    """

    def __init__(self, arrays: Sequence[NDArray[Any]], clip: float) -> None:
        self._arrays = [array.reshape(-1) for array in arrays]  # views: the arrays are contiguous
        self._moments = [np.zeros((2, array.size), array.dtype) for array in arrays]
        self._clip = clip
        self._steps = 0

    def step(self, gradients: Sequence[NDArray[Any]], rate: float) -> None:
        """One step down the gradients."""
        self._steps += 1
        norm = np.sqrt(sum(float(np.vdot(gradient, gradient)) for gradient in gradients))
        scale = self._clip / norm if norm > self._clip else 1.0
        rate *= np.sqrt(1 - SECOND**self._steps) / (1 - FIRST**self._steps)
        for array, moments, gradient in zip(self._arrays, self._moments, gradients, strict=True):
            _move(
                array,
                moments,
                np.ascontiguousarray(gradient).reshape(-1),
                array.dtype.type(scale),
                array.dtype.type(rate),
            )


@njit(cache=True)
def _move(array: NDArray[Any], moments: NDArray[Any], gradient: NDArray[Any], scale: Any, rate: Any) -> None:
    one = array.dtype.type(1)
    first, second, least = array.dtype.type(FIRST), array.dtype.type(SECOND), array.dtype.type(LEAST)
    for k in range(len(array)):
        g = scale * gradient[k]
        m = first * moments[0, k] + (one - first) * g
        v = second * moments[1, k] + (one - second) * g * g
        moments[0, k], moments[1, k] = m, v
        array[k] -= rate * m / (np.sqrt(v) + least)
