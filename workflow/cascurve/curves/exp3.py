"""Exponential decay ``y = y0 + A exp(-B x)``, the paper's performance curve (section 6)."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

PARAMETERS = ("y0", "amplitude", "rate")

# The rate is searched on x rescaled to [0, 1]. Below the lower bound the curve is a straight line to 0.2 % of
# its drop; above the upper bound it has lost 95 % of its drop within a tenth of the range.
_LOWEST, _HIGHEST, _STEPS = 1e-2, 30.0, 65
_STATUS = (
    "ok",
    "rate at its lower bound: a straight line, or one that bends the other way, fits as well",
    "rate at its upper bound: only the lowest x stand off the floor",
)


def evaluate(x: ArrayLike, y0: float, amplitude: float, rate: float) -> NDArray[np.float64]:
    """The curve at `x`, any shape."""
    return np.asarray(y0 + amplitude * np.exp(-rate * np.asarray(x, np.float64)))


def estimate(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[tuple[float, ...], str]:
    """Least-squares parameters (y0, amplitude, rate) and a status: ``"ok"`` or why the rate is not identified.

    Separable least squares: for a fixed rate, y0 and A solve a linear problem; the rate is found on a grid and
    polished to a root of the profile's slope. No starting values.

    Parameters
    ----------
    x, y : shape (n,); at least 3 distinct x.
    """
    found, code = _estimate_all(x, y, np.ones((1, len(x))))
    return tuple(float(value) for value in found[0]), _STATUS[code[0]]


def estimate_many(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted fits, one per row of `weights` (resamples, n), as rows (y0, amplitude, rate).

    Rows whose rate is at a bound hold the parameters there; rows with fewer than 3 distinct weighted x are NaN.
    """
    return _estimate_all(x, y, weights)[0]


def estimate_each(x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `estimate_many`, with x of its own for each fit: shape (resamples, n)."""
    return np.concatenate([_estimate_all(row, y, weight[None])[0] for row, weight in zip(x, weights, strict=True)])


def _estimate_all(
    x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    low, span = float(x.min()), float(np.ptp(x))
    unit = (x - low) / span
    representable = 600.0 * span / float(np.abs(x).max())  # A = (drop at x_min) exp(B x_min) must stay finite
    grid = np.geomspace(_LOWEST, max(min(_HIGHEST, representable), 2.0 * _LOWEST), _STEPS)
    found, codes = _estimate(unit, y, np.ascontiguousarray(weights, np.float64), grid, np.exp(-np.outer(unit, grid)))
    rate = found[:, 2] / span
    return np.column_stack((found[:, 0], found[:, 1] * np.exp(rate * low), rate)), codes


@njit(cache=True)
def _estimate(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    weights: NDArray[np.float64],
    grid: NDArray[np.float64],
    decays: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Weighted fits on x in [0, 1]; `decays` is exp(-x grid), shape (n, len(grid))."""
    found = np.full((len(weights), 3), np.nan)
    codes = np.zeros(len(weights), np.int64)
    for row in range(len(weights)):
        w = weights[row]
        best = _best_of_grid(decays, y, w)
        if best < 0:
            continue
        other = best + 1 if _slope(x, y, w, grid[best]) < 0.0 else best - 1  # where the loss still falls
        if other < 0 or other == len(grid):
            codes[row] = 1 if other < 0 else 2
            rate = grid[best]
        else:
            rate = _polish(x, y, w, grid[min(best, other)], grid[max(best, other)])
        found[row, 0], found[row, 1], _ = _linear(np.exp(-rate * x), y, w)
        found[row, 2] = rate
    return found, codes


@njit(cache=True)
def _best_of_grid(decays: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64]) -> int:
    """Index of the grid's rate with the least loss; -1 where no rate gives a fit."""
    total, mean = 0.0, 0.0
    for i in range(len(y)):
        total += w[i]
        mean += w[i] * y[i]
    if total == 0.0:
        return -1
    mean /= total
    size = decays.shape[1]
    se, see, sey = np.zeros(size), np.zeros(size), np.zeros(size)
    for i in range(len(y)):
        if w[i] > 0.0:
            v = w[i] * (y[i] - mean)
            for g in range(size):
                part = w[i] * decays[i, g]
                se[g] += part
                see[g] += part * decays[i, g]
                sey[g] += v * decays[i, g]
    best, best_gain = -1, -1.0
    for g in range(size):
        spread = see[g] - se[g] * se[g] / total
        if spread > 1e-12 * total and sey[g] * sey[g] / spread > best_gain:
            best, best_gain = g, sey[g] * sey[g] / spread
    return best


@njit(cache=True)
def _linear(decay: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64]) -> tuple[float, float, float]:
    """Weighted regression of y on `decay`: (intercept, slope, loss); the loss is inf where decay does not vary."""
    total, mean_e, mean_y = 0.0, 0.0, 0.0
    for i in range(len(y)):
        total += w[i]
        mean_e += w[i] * decay[i]
        mean_y += w[i] * y[i]
    if total == 0.0:
        return np.nan, np.nan, np.inf
    mean_e /= total
    mean_y /= total
    see, sey, syy = 0.0, 0.0, 0.0
    for i in range(len(y)):
        e, v = decay[i] - mean_e, y[i] - mean_y
        see += w[i] * e * e
        sey += w[i] * e * v
        syy += w[i] * v * v
    if see <= 1e-24 * total:
        return np.nan, np.nan, np.inf
    amplitude = sey / see
    return mean_y - amplitude * mean_e, amplitude, max(syy - amplitude * sey, 0.0)


@njit(cache=True)
def _slope(x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], rate: float) -> float:
    """Half the derivative of the profiled loss by the rate: A sum w r x e, with r the residuals."""
    decay = np.exp(-rate * x)
    floor, amplitude, _ = _linear(decay, y, w)
    total = 0.0
    for i in range(len(x)):
        total += w[i] * (y[i] - floor - amplitude * decay[i]) * x[i] * decay[i]
    return amplitude * total


@njit(cache=True)
def _polish(x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], low: float, high: float) -> float:
    """The rate in [low, high] at which the slope changes sign from - to +, by the Illinois method."""
    at_low, at_high = _slope(x, y, w, low), _slope(x, y, w, high)
    if at_low >= 0.0 or at_high <= 0.0:  # no single sign change: keep the better end, to which the slope points
        return high if at_low >= 0.0 else low
    side, rate = 0, low
    for _ in range(100):
        rate = (low * at_high - high * at_low) / (at_high - at_low)
        here = _slope(x, y, w, rate)
        if here < 0.0:
            low, at_low = rate, here
            at_high = at_high / 2.0 if side == -1 else at_high
            side = -1
        elif here > 0.0:
            high, at_high = rate, here
            at_low = at_low / 2.0 if side == 1 else at_low
            side = 1
        else:
            break
        if high - low <= 1e-13 * high:
            break
    return rate
