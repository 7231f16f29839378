"""Morgan-Mercer-Flodin curve ``y = y0 + A / (1 + (x / H)^D)``: sigmoid or hyperbolic, H is where half is lost."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve.curves import separable
from cascurve.curves.separable import Shape

SHAPES = (
    Shape("half", 0.005, 5.0),
    Shape("power", 0.2, 20.0),
)
PARAMETERS = ("y0", "amplitude", *(shape.name for shape in SHAPES))


def evaluate(x: ArrayLike, y0: float, amplitude: float, half: float, power: float) -> NDArray[np.float64]:
    """The curve at `x`, any shape."""
    return np.asarray(y0 + amplitude * _shape(np.asarray(x, np.float64), half, power))


def estimate(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[tuple[float, ...], str]:
    """Least-squares parameters and a status; `x` is a difficulty, at least 0."""
    return separable.estimate(_shape, SHAPES, x, y)


def _shape(x: NDArray[np.float64], half: float, power: float) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + (x / half) ** power))
