"""Any score over difficulty: a quadratic, which may rise or fall, with the band that holds all of it at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, regress

Floats = NDArray[np.float64]

N_PARAMETERS = 3
FEWEST = FEWEST_NETWORKS + N_PARAMETERS - 1
"""Networks needed for a band."""
_GRID = 61


@dataclass(frozen=True)
class Trend:
    """The curve and its band on a grid over the difficulties that the points cover; shapes (61,)."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


def trend(x: Floats, y: Floats, network: NDArray[np.int64], weights: Floats, *, level: float = 0.95) -> Trend | None:
    """The quadratic through points, whole networks resampled; None with fewer than 7 networks or 4 distinct x.

    Parameters
    ----------
    x, y : shape (n,), finite.
    network : shape (n,): codes into the columns of `weights`.
    weights : shape (resamples, networks), from `network_weights`.
    """
    n_networks = len(np.unique(network))
    if n_networks < FEWEST or len(np.unique(x)) <= N_PARAMETERS or np.ptp(y) == 0:
        return None
    grid = np.linspace(x.min(), x.max(), _GRID)
    middle, half = (x.min() + x.max()) / 2, np.ptp(x) / 2
    coefficients, draws, _ = regress(np.vander((x - middle) / half, N_PARAMETERS), y, network, weights)
    basis = np.vander((grid - middle) / half, N_PARAMETERS)
    band = max_t_band(
        basis @ coefficients, draws @ basis.T, np.full(_GRID, n_networks), level=level, n_parameters=N_PARAMETERS
    )
    return Trend(grid, band.estimate, band.low, band.high)
