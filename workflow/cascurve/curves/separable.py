"""Least squares for curves ``y = y0 + A g(x; shape)``: y0 and A are linear, so only the shape is searched.

The shape is taken from a grid over its bounds and polished from the best grid point; there are no starting values.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST = 1e-10  # variance of g below which y0 and A only cancel each other


@dataclass(frozen=True)
class Shape:
    """One parameter of g: its name and bounds; `log` searches it on a logarithmic scale."""

    name: str
    low: float
    high: float
    log: bool = True

    def grid(self, steps: int) -> Floats:
        """Values from `low` to `high`, on the scale of the search."""
        low, high = self.search(np.array([self.low, self.high]))
        return np.linspace(float(low), float(high), steps)

    def search(self, values: Floats) -> Floats:
        """From the parameter to the scale of the search."""
        return np.log(values) if self.log else values

    def value(self, searched: Floats) -> Floats:
        """From the scale of the search to the parameter."""
        return np.exp(searched) if self.log else searched


def estimate(g: Callable[..., Floats], shapes: Sequence[Shape], x: Floats, y: Floats) -> tuple[tuple[float, ...], str]:
    """Parameters (y0, A, *shape), and "ok" or which shape parameter stands at a bound.

    Parameters
    ----------
    g : called as ``g(x, *shape)``; must broadcast.
    shapes : one or two shape parameters.
    """
    from scipy.optimize import least_squares

    steps = 65 if len(shapes) == 1 else 21
    grid = np.stack(np.meshgrid(*(shape.grid(steps) for shape in shapes), indexing="ij"), axis=-1)
    candidates = grid.reshape(-1, len(shapes))
    values = [shape.value(candidates[:, [k]]) for k, shape in enumerate(shapes)]
    losses = _losses(g(x[None, :], *values), y)
    limits = np.array([shape.search(np.array([shape.low, shape.high])) for shape in shapes])
    spacing = (limits[:, 1] - limits[:, 0]) / (steps - 1)

    def residuals(searched: Floats) -> Floats:
        basis = g(x, *(shape.value(searched[k]) for k, shape in enumerate(shapes)))
        return y - _linear(basis, y)[2]

    start = candidates[np.argmin(losses)]
    inner = np.clip(start, limits[:, 0] + 1e-6 * spacing, limits[:, 1] - 1e-6 * spacing)
    found = least_squares(
        residuals,
        inner,
        bounds=(limits[:, 0], limits[:, 1]),
        x_scale=spacing,
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        max_nfev=200,
    )
    best = [float(shape.value(found.x[k])) for k, shape in enumerate(shapes)]
    floor, amplitude, _ = _linear(g(x, *best), y)
    for shape, at, (low, high), step in zip(shapes, found.x, limits, spacing, strict=True):
        if min(at - low, high - at) < 1e-3 * step:
            side = "lower" if at - low < high - at else "upper"
            return (floor, amplitude, *best), f"{shape.name} at its {side} bound: the data do not tell it"
    return (floor, amplitude, *best), "ok"


def _linear(basis: Floats, y: Floats) -> tuple[float, float, Floats]:
    """Regression of y on one basis: intercept, slope, fitted values."""
    centred = basis - basis.mean()
    square = float(centred @ centred)
    slope = float(centred @ y) / square if square > _LEAST * len(y) else 0.0
    return float(y.mean() - slope * basis.mean()), slope, y.mean() + slope * centred


def _losses(bases: Floats, y: Floats) -> Floats:
    """Residual sum of squares of the regression on each row of `bases`."""
    centred = bases - bases.mean(axis=1, keepdims=True)
    square = (centred**2).sum(axis=1)
    gain = np.divide((centred @ y) ** 2, square, out=np.zeros(len(bases)), where=square > _LEAST * len(y))
    return ((y - y.mean()) ** 2).sum() - gain
