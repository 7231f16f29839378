"""Where over difficulty is model A above model B: regions, crossings, and whether there is a difference at all.

The paired log-ratio log(MAP_A / MAP_B) of each cell is regressed on difficulty (a quadratic). Whole networks are
resampled; one max-t band covers all difficulties and all pairs at once. Nothing is said outside the difficulties
that both models have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cascurve.curves.cells import Cells
from cascurve.curves.fitting import fit
from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, regress

Floats = NDArray[np.float64]

N_PARAMETERS = 3
FEWEST = FEWEST_NETWORKS + N_PARAMETERS - 1
"""Networks needed for a band over difficulty."""

_GRID = 61


@dataclass(frozen=True)
class Region:
    """A range of difficulty with one verdict on A: "above", "below", "equivalent" or "undecided"."""

    verdict: str
    start: float
    stop: float


@dataclass(frozen=True)
class Crossing:
    """Where A's and B's curves cross, with an interval: from the end of one established region to the other's start."""

    x: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """log(MAP_A / MAP_B) over difficulty.

    Attributes
    ----------
    x, mean, low, high : the curve and its simultaneous band on a grid over the common difficulties.
    p_value : of no difference at any difficulty, adjusted for all pairs; by flipping signs of whole networks.
    regions : of equal verdict, from easy to hard.
    crossings : those with an established region on both sides; an empty tuple means "none established".
    area : integral of the mean over `x`, with its interval, simultaneous over all pairs.
    curves_agree : whether the difference of the two fitted SMAP curves stays inside the band; None without curves.
    """

    x: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    p_value: float
    regions: tuple[Region, ...]
    crossings: tuple[Crossing, ...]
    area: tuple[float, float, float]
    curves_agree: bool | None


def differences(
    chosen: Cells,
    pairs: Sequence[tuple[str, str]],
    weights: Floats,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    margin: float = 0.03,
) -> list[Difference | None]:
    """The difference of every pair over difficulty; None for a pair with too few networks or one difficulty.

    Parameters
    ----------
    weights : shape (resamples, networks), from `network_weights`; the same for all pairs.
    rng : draws the sign flips.
    margin : relative difference in MAP that does not matter.
    """
    flips = rng.choice([-1.0, 1.0], size=(len(weights), weights.shape[1]))
    fitted = [_Fitted.of(chosen, a, b, weights, flips) for a, b in pairs]
    usable = [item for item in fitted if item is not None]
    if not usable:
        return [None] * len(pairs)
    band = max_t_band(
        np.concatenate([item.mean for item in usable]),
        np.concatenate([item.draws for item in usable], axis=1),
        np.repeat([item.n_networks for item in usable], _GRID),
        level=level,
        n_parameters=N_PARAMETERS,
    )
    area = max_t_band(
        np.array([item.area(item.mean) for item in usable]),
        np.stack([item.area(item.draws) for item in usable], axis=1),
        np.array([item.n_networks for item in usable]),
        level=level,
        n_parameters=N_PARAMETERS,
    )
    areas = zip(area.estimate.tolist(), area.low.tolist(), area.high.tolist(), strict=True)
    worst = np.max([item.flipped for item in usable], axis=0)
    results: list[Difference | None] = []
    at = 0
    for (a, b), item in zip(pairs, fitted, strict=True):
        if item is None:
            results.append(None)
            continue
        low, high = band.low[at : at + _GRID], band.high[at : at + _GRID]
        at += _GRID
        p_value = float((1 + (worst >= item.statistic - 1e-12).sum()) / (1 + len(worst)))
        curves = _curve_difference(chosen, a, b, item.x)
        results.append(_difference(item, low, high, p_value, margin, next(areas), curves))
    return results


@dataclass(frozen=True)
class _Fitted:
    """The quadratic of one pair on its grid, on the data, on resamples, and with flipped signs."""

    x: Floats
    mean: Floats
    draws: Floats
    flipped: Floats  # max-|t| of each flip
    statistic: float
    n_networks: int

    def area(self, values: Floats) -> Floats:
        """Integral over x of curves on the grid (last axis)."""
        return np.asarray(np.trapezoid(values, self.x, axis=-1))

    @classmethod
    def of(cls, chosen: Cells, a: str, b: str, weights: Floats, flips: Floats) -> "_Fitted | None":
        ratio = chosen.log_ratio(a, b)
        known = np.isfinite(ratio) & np.isfinite(chosen.x)
        x, network = chosen.x[known], chosen.network[known]
        n_networks = len(np.unique(network))
        if n_networks < FEWEST or len(np.unique(x)) <= N_PARAMETERS or np.ptp(ratio[known]) == 0:
            return None
        grid = np.linspace(x.min(), x.max(), _GRID)
        middle, half = (x.min() + x.max()) / 2, np.ptp(x) / 2
        basis = np.vander((grid - middle) / half, N_PARAMETERS)
        design = np.vander((x - middle) / half, N_PARAMETERS)
        coefficients, draws, shares = regress(design, ratio[known], network, weights)
        by_network = shares @ basis.T  # (networks, grid); their sum is the curve
        error = np.sqrt((by_network**2).sum(axis=0))  # exact over all flips
        flipped = np.abs(flips @ by_network / error).max(axis=1)
        mean = basis @ coefficients
        return cls(grid, mean, draws @ basis.T, flipped, float(np.abs(mean / error).max()), n_networks)


def _difference(
    item: _Fitted,
    low: Floats,
    high: Floats,
    p_value: float,
    margin: float,
    area: tuple[float, float, float],
    curves: Floats | None,
) -> Difference:
    limit = np.log1p(margin)
    verdicts = np.select(
        [low > 0, high < 0, (low > -limit) & (high < limit)], ["above", "below", "equivalent"], "undecided"
    ).tolist()
    regions = _regions(item.x, verdicts)
    return Difference(
        x=_tuple(item.x),
        mean=_tuple(item.mean),
        low=_tuple(low),
        high=_tuple(high),
        p_value=p_value,
        regions=regions,
        crossings=_crossings(item.x, item.mean, regions),
        area=area,
        curves_agree=None if curves is None else bool(((curves >= low) & (curves <= high)).all()),
    )


def _regions(x: Floats, verdicts: list[str]) -> tuple[Region, ...]:
    found: list[Region] = []
    for here, verdict in zip(x.tolist(), verdicts, strict=True):
        if found and found[-1].verdict == verdict:
            found[-1] = Region(verdict, found[-1].start, here)
        else:
            found.append(Region(verdict, here, here))
    return tuple(found)


def _crossings(x: Floats, mean: Floats, regions: tuple[Region, ...]) -> tuple[Crossing, ...]:
    """Sign changes of the mean between an established "above" and an established "below"."""
    established = [region for region in regions if region.verdict in ("above", "below")]
    found = []
    for left, right in pairwise(established):
        if left.verdict != right.verdict:
            between = (x >= left.stop) & (x <= right.start)
            at, values = x[between], mean[between]
            order = np.argsort(values)
            found.append(Crossing(float(np.interp(0.0, values[order], at[order])), left.stop, right.start))
    return tuple(found)


def _curve_difference(chosen: Cells, a: str, b: str, x: Floats) -> Floats | None:
    """log of the ratio of the two fitted SMAP curves; None where one is not identified or not positive."""
    columns = [chosen.models.index(name) for name in (a, b)]
    known = np.isfinite(chosen.x) & np.isfinite(chosen.smap[:, columns]).all(axis=1)
    fits = [fit(chosen.x[known], chosen.smap[known, column]) for column in columns]
    values = [found(x) for found in fits]
    if any(found.status != "ok" for found in fits) or min(value.min() for value in values) <= 0:
        return None
    return np.log(values[0] / values[1])


def _tuple(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())
