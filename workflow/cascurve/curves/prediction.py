"""What accuracy to expect of a model on new data of known difficulty, and up to which difficulty it holds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.curves import exp3
from cascurve.curves.bands import FEWEST, band
from cascurve.curves.cells import Cells
from cascurve.curves.fitting import fit
from cascurve.curves.resampling import network_weights
from cascurve.errors import CellError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Expectation:
    """MAP of a model on one new data set: the curve's value, and an interval that holds the new value."""

    map: float
    low: float
    high: float
    level: float


def expect(
    chosen: Cells,
    model: str,
    at: float,
    *,
    size: float,
    length: float,
    rng: np.random.Generator,
    resamples: int = 2000,
    level: float = 0.95,
) -> Expectation:
    """MAP to expect at difficulty `at` with N = `size` and L = `length`.

    The interval holds the curve's uncertainty (networks resampled, curve refitted) and the scatter of a data set
    about the curve (a residual drawn in logs).

    Raises
    ------
    CellError : outside the difficulties covered, without an identified curve, with too few networks, or where the
        curve times L/N is above 1, which no MAP can be.
    """
    score = chosen.smap[:, chosen.models.index(model)]
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    x, y, network = chosen.x[known], score[known], chosen.network[known]
    found = fit(x, y)
    m = len(np.unique(network))
    if found.status != "ok":
        raise CellError(f"model '{model}' has no curve in group '{chosen.group}': {found.status}")
    if m < FEWEST:
        raise CellError(f"model '{model}' has {m} networks in group '{chosen.group}', at least {FEWEST} needed")
    if not found.x_min <= at <= found.x_max:
        raise CellError(f"difficulty {at:g} is outside {found.x_min:.3g} to {found.x_max:.3g}, which the points cover")
    weights = network_weights(len(chosen.networks), resamples, rng)
    parameters = exp3.estimate_many(x, y, weights[:, network])
    drawn = parameters[:, 0] + parameters[:, 1] * np.exp(-parameters[:, 2] * at)
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    fitted = found(x)
    # three parameters were fitted to m independent networks, which makes residuals too small
    residual = np.log(y / np.where(fitted > 0, fitted, np.nan)) * np.sqrt(m / (m - len(exp3.PARAMETERS)))
    residual = residual[np.isfinite(residual)]
    new = np.log(drawn) + rng.choice(residual, size=len(drawn))
    low, high = np.exp(np.quantile(new, [(1 - level) / 2, (1 + level) / 2]))
    scale = length / size
    expected = float(found(at)) * scale
    if expected > 1:
        raise CellError(
            f"model '{model}' in group '{chosen.group}': SMAP {found(at):.3g} at N = {size:g} and L = {length:g} would "
            f"be a MAP of {expected:.3g}, above 1; N/L lies too far from that of the points"
        )
    return Expectation(expected, float(low) * scale, min(float(high) * scale, 1.0), level)


def holds_up_to(
    chosen: Cells, model: str, smap: float, *, rng: np.random.Generator, resamples: int = 2000, level: float = 0.95
) -> float | None:
    """The greatest difficulty up to which the model's SMAP curve is established to stay above `smap`.

    None where it is not established even for the easiest data, or where there is no band.
    """
    found = band(chosen, model, network_weights(len(chosen.networks), resamples, rng), level=level)
    if found is None or not found.low[0] > smap:
        return None
    above = found.low > smap
    return float(found.x[-1] if above.all() else found.x[np.argmin(above) - 1])
