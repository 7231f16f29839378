"""Shifted power law ``y = y0 + A (1 + x / D)^-B``; for large D and B it is the exponential."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve.curves import separable
from cascurve.curves.separable import Shape

SHAPES = (
    Shape("exponent", 0.05, 20.0),
    Shape("shift", 0.01, 10.0),
)
PARAMETERS = ("y0", "amplitude", *(shape.name for shape in SHAPES))


def evaluate(x: ArrayLike, y0: float, amplitude: float, exponent: float, shift: float) -> NDArray[np.float64]:
    """The curve at `x`, any shape."""
    return np.asarray(y0 + amplitude * _shape(np.asarray(x, np.float64), exponent, shift))


def estimate(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[tuple[float, ...], str]:
    """Least-squares parameters and a status; `x` is a difficulty, at least 0."""
    return separable.estimate(_shape, SHAPES, x, y)


def _shape(x: NDArray[np.float64], exponent: float, shift: float) -> NDArray[np.float64]:
    return np.asarray((x / shift + 1.0) ** -exponent)
