"""Does the error of the difficulty bend the curve? Simulation and extrapolation (SIMEX).

Noise in x flattens a curve. SIMEX adds more of it, in known steps, and extrapolates what it does back to none (Cook &
Stefanski 1994, J. Am. Stat. Assoc. 89, 1314): a check of how much the curve depends on it, not a better curve.
"""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves import exp3
from cascurve.curves.cells import DIFFICULTIES, cells, groups
from cascurve.curves.fitting import fit

Floats = NDArray[np.float64]

EXTRA = (0.5, 1.0, 1.5, 2.0)
"""Variance of the added noise in units of the error's own."""

_GRID = 21


def errors_in_x(points: pa.Table, *, seed: int, xs: Iterable[str] = DIFFICULTIES, draws: int = 100) -> pa.Table:
    """What the standard errors of the difficulty do to the SMAP curve of every group and model.

    Returns
    -------
    Table of kind "errors_in_x": group, model, x, and
        ``error`` : root of the mean squared standard error of the cells' difficulty;
        ``reliability`` : share of the variance of x between cells that is not error;
        ``shift`` : the greatest relative change of the curve, over its range, when SIMEX takes the error out.
        A model without an identified curve, or points without standard errors, have no row.
    """
    rows: list[dict[str, object]] = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen = cells(points, group, x)
            for model in chosen.models:
                score = chosen.values(model, "smap")
                known = np.isfinite(chosen.x) & np.isfinite(score) & np.isfinite(chosen.x_error)
                at, y, error = chosen.x[known], score[known], chosen.x_error[known]
                found = fit(at, y)
                if found.status != "ok" or not error.any():
                    continue
                grid = np.linspace(found.x_min, found.x_max, _GRID)
                mended = simex(at, y, error, grid, seeding.generator(seed, "simex", group=group, x=x), draws)
                square = float((error**2).mean())
                facts = {
                    "error": square**0.5,
                    "reliability": 1 - square / float(at.var(ddof=1)),
                    "shift": float(np.abs(mended / found(grid) - 1).max()),
                }
                rows.append({"group": group, "model": model, "x": x} | facts)
    texts = [(name, pa.string()) for name in ("group", "model", "x")]
    numbers = [(name, pa.float64()) for name in ("error", "reliability", "shift")]
    return pa.Table.from_pylist(rows, pa.schema([*texts, *numbers]))


def simex(x: Floats, y: Floats, error: Floats, grid: Floats, rng: np.random.Generator, draws: int = 100) -> Floats:
    """The exponential through (x, y) on `grid`, with the error of x taken out.

    Parameters
    ----------
    x, y, error : shape (n,): points, and the standard errors of x.
    grid : shape (k,).

    Returns
    -------
    Shape (k,): a quadratic in the amount of noise, through the fit as it is and those with more noise, at none.
    """
    ones = np.ones((draws, len(x)))
    curves = [exp3.evaluate(grid, *exp3.estimate(x, y)[0])]
    for extra in EXTRA:
        noisy = x + np.sqrt(extra) * error * rng.standard_normal((draws, len(x)))
        y0, amplitude, rate = exp3.estimate_each(noisy, np.asarray(y), ones).T[:, :, None]
        curves.append(np.nanmean(exp3.evaluate(grid, y0, amplitude, rate), axis=0))
    coefficients = np.polynomial.polynomial.polyfit([0.0, *EXTRA], np.array(curves), 2)
    return np.asarray(coefficients[0] - coefficients[1] + coefficients[2])
