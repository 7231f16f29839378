"""Resampling of whole networks, and simultaneous bands from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

FEWEST_NETWORKS = 5
"""With fewer networks no interval is given: the spread between networks cannot be told from so few."""

Floats = NDArray[np.float64]


def network_weights(n_networks: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each network is drawn, shape (resamples, n_networks)."""
    return rng.multinomial(n_networks, np.full(n_networks, 1.0 / n_networks), size=resamples).astype(np.float64)


@dataclass(frozen=True)
class Band:
    """Simultaneous intervals of several estimates.

    Attributes
    ----------
    low, high : as `estimate`; NaN where no interval can be given.
    critical : the multiple of the standard error that all share, before the correction for few networks.
    """

    estimate: Floats
    low: Floats
    high: Floats
    critical: float


def regress(
    design: Floats, target: Floats, network: NDArray[np.int64], weights: Floats
) -> tuple[Floats, Floats, Floats]:
    """Least squares on all data, and on every resample of whole networks.

    Parameters
    ----------
    design, target : shapes (n, p) and (n,).
    network : shape (n,): codes into the columns of `weights`.
    weights : shape (resamples, networks).

    Returns
    -------
    coefficients : shape (p,).
    draws : shape (resamples, p); NaN where a resample does not determine them.
    shares : shape (networks, p): what each network adds to the coefficients; they sum to `coefficients`.
    """
    indicator = (network[:, None] == np.arange(weights.shape[1])).astype(np.float64)
    squares = np.einsum("in,ij,ik->njk", indicator, design, design)
    products = np.einsum("in,ij,i->nj", indicator, design, target)
    shares = products @ np.linalg.inv(squares.sum(0)).T
    normal = np.einsum("rn,njk->rjk", weights, squares)
    draws = np.full((len(weights), design.shape[1]), np.nan)
    sound = np.linalg.cond(normal) < _WORST_CONDITION
    draws[sound] = np.linalg.solve(normal[sound], (weights[sound] @ products)[:, :, None])[:, :, 0]
    return shares.sum(0), draws, shares


_WORST_CONDITION = 1e10


def max_t_band(
    estimate: Floats, draws: Floats, n_networks: Floats, *, level: float = 0.95, n_parameters: int = 1
) -> Band:
    """A band that covers all estimates at once with probability `level` (max-t).

    Parameters
    ----------
    estimate : shape (k,).
    draws : shape (resamples, k): the estimates on resampled networks; NaN where a resample has none.
    n_networks : shape (k,): the networks behind each estimate; with too few it has no interval.
    n_parameters : what each estimate was fitted with, p; each parameter beyond the first needs one network more.

    Notes
    -----
    Few networks make the bootstrap too narrow twice over. Its standard error lacks the factor sqrt(m / (m - p)),
    and its max-|t| has the normal's tails instead of Student's with m - p degrees of freedom. Both are mended
    (Hesterberg 2015, section 4, for the expansion of the critical value).
    """
    m = np.maximum(n_networks, n_parameters + 1).astype(np.float64)
    error = _sd(draws)
    usable = (n_networks >= FEWEST_NETWORKS + n_parameters - 1) & np.isfinite(estimate) & (error > 0)
    low, high = np.full_like(estimate, np.nan), np.full_like(estimate, np.nan)
    if not usable.any():
        return Band(estimate, low, high, float("nan"))
    distance = np.abs(draws[:, usable] - estimate[usable]) / error[usable]
    critical = float(np.quantile(np.where(np.isfinite(distance), distance, 0.0).max(axis=1), level))
    widened = error * np.sqrt(m / (m - n_parameters))
    reach = -stdtrit(m[usable] - n_parameters, ndtr(-critical)) * widened[usable]
    low[usable], high[usable] = estimate[usable] - reach, estimate[usable] + reach
    return Band(estimate, low, high, critical)


def _sd(draws: Floats) -> Floats:
    """Standard deviation of each column's known draws; NaN with fewer than two."""
    known = np.isfinite(draws)
    count = known.sum(axis=0)
    mean = np.where(known, draws, 0.0).sum(axis=0) / np.maximum(count, 1)
    square = np.where(known, (draws - mean) ** 2, 0.0).sum(axis=0)
    return np.where(count > 1, np.sqrt(square / np.maximum(count - 1, 1)), np.nan)
