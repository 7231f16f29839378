"""Power law ``y = y0 + A (x + 0.01)^-B``; the offset keeps fully ordered data (x = 0) finite."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve.curves import separable
from cascurve.curves.separable import Shape

SHAPES = (Shape("exponent", 0.01, 20.0),)
PARAMETERS = ("y0", "amplitude", *(shape.name for shape in SHAPES))


def evaluate(x: ArrayLike, y0: float, amplitude: float, exponent: float) -> NDArray[np.float64]:
    """The curve at `x`, any shape."""
    return np.asarray(y0 + amplitude * _shape(np.asarray(x, np.float64), exponent))


def estimate(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[tuple[float, ...], str]:
    """Least-squares parameters and a status; `x` is a difficulty, at least 0."""
    return separable.estimate(_shape, SHAPES, x, y)


def _shape(x: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    return np.asarray((x + 0.01) ** -exponent)
