"""Logistic curve ``y = y0 + A / (1 + exp(K (x - M)))``, M is the middle of the fall."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve.curves import separable
from cascurve.curves.separable import Shape

SHAPES = (
    Shape("steepness", 0.5, 100.0),
    Shape("middle", -1.0, 1.5, log=False),
)
PARAMETERS = ("y0", "amplitude", *(shape.name for shape in SHAPES))


def evaluate(x: ArrayLike, y0: float, amplitude: float, steepness: float, middle: float) -> NDArray[np.float64]:
    """The curve at `x`, any shape."""
    return np.asarray(y0 + amplitude * _shape(np.asarray(x, np.float64), steepness, middle))


def estimate(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[tuple[float, ...], str]:
    """Least-squares parameters and a status; `x` is a difficulty, at least 0."""
    return separable.estimate(_shape, SHAPES, x, y)


def _shape(x: NDArray[np.float64], steepness: float, middle: float) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(steepness * (x - middle))))
