"""Does scaled MAP collapse: do data sets of different N and L fall on one curve over difficulty?

A scaling is MAP·N^a/L^b; the paper's is (1, 1). The exponents are fitted too, with a region from resampled
networks that says whether (1, 1) lies inside. Two measures of how well the (N, L) groups fall together:

- `quality`, Houdayer & Hartmann's S (2004, Phys. Rev. B 70, 014418): the mean squared distance of a point from the
  others' curve in standard errors. About 1 where sampling of the test cascades explains all of it.
- `spread`, after Bhattacharjee & Seno (2001, J. Phys. A 34, 6375): the mean distance of log y from the other groups'
  interpolated curves. It needs no errors, and in logs a common factor does not matter.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray
from scipy.special import stdtrit

from cascurve import seeding
from cascurve.curves.cells import DIFFICULTIES, Cells, cells, groups
from cascurve.curves.resampling import FEWEST_NETWORKS, network_weights, regress

Floats = NDArray[np.float64]

CEILING = "oracle"
"""The model that stands for the best possible prediction."""


@dataclass(frozen=True)
class Exponents:
    """Fitted exponents of MAP·N^a/L^b, and where they lie.

    Attributes
    ----------
    a, b : NaN where N or L does not vary.
    low, high : ends of the simultaneous 95 % intervals of (a, b); None where networks are too few.
    holds_paper : whether (1, 1) lies in the 95 % region; None where there is no region.
    """

    a: float
    b: float
    low: tuple[float, float] | None
    high: tuple[float, float] | None
    holds_paper: bool | None
    status: str


def collapses(points: pa.Table, *, seed: int, xs: Iterable[str] = DIFFICULTIES, resamples: int = 1000) -> pa.Table:
    """How well each scaling collapses the points of every group, model and difficulty column.

    Returns
    -------
    Table of kind "collapse": group, model, x, scaling ("none", "paper", "chance" = MAP over chance, "fitted", and with
        the oracle among the models "floor_to_ceiling" = (MAP - chance)/(MAP of the oracle - chance)), a, b, quality,
        spread, and for "fitted" a_low, a_high, b_low, b_high, holds_paper, status.
    """
    rows = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen = cells(points, group, x)
            for model in chosen.models:
                found = exponents(chosen, model, seeding.generator(seed, "collapse", group=group, x=x), resamples)
                place = {"group": group, "model": model, "x": x}
                rows += [place | row for row in _scalings(chosen, model, found)]
    texts = [(name, pa.string()) for name in ("group", "model", "x", "scaling")]
    numbers = [(name, pa.float64()) for name in ("a", "b", "quality", "spread", "a_low", "a_high", "b_low", "b_high")]
    schema = pa.schema([*texts, *numbers, ("holds_paper", pa.bool_()), ("status", pa.string())])
    return pa.Table.from_pylist(rows, schema)


def exponents(chosen: Cells, model: str, rng: np.random.Generator, resamples: int = 1000) -> Exponents:
    """The (a, b) that make MAP·N^a/L^b a function of x: log MAP = cubic(x) - a log N + b log L, by least squares."""
    score = chosen.map[:, chosen.models.index(model)]
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    x, size, length = chosen.x[known], np.log(chosen.size[known]), np.log(chosen.length[known])
    columns = 6
    if len(x) <= columns or len(np.unique(x)) < 4:
        return Exponents(np.nan, np.nan, None, None, None, f"{len(x)} cells, at least {columns + 1} needed")
    unit = 2 * (x - x.min()) / np.ptp(x) - 1
    design = np.column_stack([-(size - size.mean()), length - length.mean(), np.ones_like(x), unit, unit**2, unit**3])
    if np.linalg.matrix_rank(design, tol=1e-6 * len(x)) < columns:
        return Exponents(np.nan, np.nan, None, None, None, "N and L do not vary apart from x and each other")
    target = np.log(score[known])
    network, members = np.unique(chosen.network[known], return_inverse=True)
    m = len(network)
    coefficients, draws, _ = regress(design, target, members, network_weights(m, resamples, rng))
    a, b = (float(value) for value in coefficients[:2])
    if m < FEWEST_NETWORKS:
        return Exponents(a, b, None, None, None, f"{m} networks, at least {FEWEST_NETWORKS} needed for a region")
    draws = draws[np.isfinite(draws).all(axis=1), :2]  # a resample may lack all variation of N or L
    if len(draws) < resamples / 2:
        return Exponents(a, b, None, None, None, "most resamples lack variation of N or L")
    return _region(np.array([a, b]), draws, m)


def _region(estimate: Floats, draws: Floats, m: int) -> Exponents:
    """95 % region and intervals; normal in shape, with Student's tails for few networks."""
    spread = np.cov(draws.T) * m / (m - 1)
    offset = np.ones(2) - estimate
    distance = float(offset @ np.linalg.solve(spread, offset))
    # Hotelling's T² with 2 and m - 2 degrees of freedom; F(2, v) has the quantile v/2 (q^(-2/v) - 1)
    v = m - 2
    limit = 2 * (m - 1) / v * (v / 2) * (0.05 ** (-2 / v) - 1)
    reach = stdtrit(m - 1, 1 - 0.05 / 4) * np.sqrt(np.diag(spread))  # Bonferroni over the two
    low, high = estimate - reach, estimate + reach
    ends = ((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
    return Exponents(float(estimate[0]), float(estimate[1]), *ends, distance <= limit, "ok")


def quality(x: Floats, y: Floats, error: Floats, block: NDArray[np.int64]) -> float:
    """Houdayer & Hartmann's S; NaN where no point lies between two neighbours of another group.

    Parameters
    ----------
    x, y, error : shape (n,): points and the standard errors of y.
    block : shape (n,): the group of each point.
    """
    return float(_quality(x, y, error, np.unique(block, return_inverse=True)[1]))


@njit(cache=True)
def _quality(x: Floats, y: Floats, error: Floats, block: NDArray[np.int64]) -> float:
    """S; each point is held against the line through the two neighbours that it has in every other group."""
    n_blocks = block.max() + 1 if len(block) else 0
    total, terms = 0.0, 0
    for i in range(len(x)):
        below, above = np.full(n_blocks, -1), np.full(n_blocks, -1)
        for j in range(len(x)):
            g = block[j]
            if g == block[i]:
                continue
            if x[j] <= x[i] and (below[g] < 0 or x[j] > x[below[g]]):
                below[g] = j
            if x[j] > x[i] and (above[g] < 0 or x[j] < x[above[g]]):
                above[g] = j
        k, kx, ky, kxx, kxy = 0.0, 0.0, 0.0, 0.0, 0.0
        for g in range(n_blocks):
            if below[g] >= 0 and above[g] >= 0:
                for j in (below[g], above[g]):
                    w, u = 1.0 / error[j] ** 2, x[j] - x[i]  # seen from x[i], the line's value is its intercept
                    k, kx, ky, kxx, kxy = k + w, kx + w * u, ky + w * y[j], kxx + w * u * u, kxy + w * u * y[j]
        determinant = k * kxx - kx**2
        if determinant > 0.0:
            master, variance = (kxx * ky - kx * kxy) / determinant, kxx / determinant
            total += (y[i] - master) ** 2 / (error[i] ** 2 + variance)
            terms += 1
    return total / terms if terms else np.nan


def spread(x: Floats, y: Floats, block: NDArray[np.int64]) -> float:
    """Mean |log y - the other groups' interpolated log y|, over pairs of groups where their x overlap."""
    log_y, terms = np.log(y), []
    for group in np.unique(block):
        own = np.flatnonzero(block == group)
        own = own[np.argsort(x[own], kind="stable")]
        if len(own) < 2:
            continue
        others = np.flatnonzero((block != group) & (x >= x[own[0]]) & (x <= x[own[-1]]))
        terms.append(np.abs(log_y[others] - np.interp(x[others], x[own], log_y[own])))
    flat = np.concatenate(terms) if terms else np.empty(0)
    return float(flat.mean()) if len(flat) else float("nan")


def _scalings(chosen: Cells, model: str, found: Exponents) -> list[dict[str, object]]:
    column = chosen.models.index(model)
    score, relative = chosen.map[:, column], chosen.relative_error[:, column]
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    x, y, block = chosen.x[known], score[known], chosen.block[known]
    size, length = chosen.size[known], chosen.length[known]
    chance = chosen.chance[known] * length / size
    errors_of_y = relative[known] * y
    powers = {"none": (0.0, 0.0), "paper": (1.0, 1.0), "fitted": (found.a, found.b)}
    none = np.zeros_like(y)
    factors = {name: (none, size**a / length**b) for name, (a, b) in powers.items()} | {"chance": (none, 1 / chance)}
    if CEILING in chosen.models:
        ceiling = chosen.map[known, chosen.models.index(CEILING)]
        factors["floor_to_ceiling"] = (chance, 1 / np.where(ceiling > chance, ceiling - chance, np.nan))
    rows: list[dict[str, object]] = []
    for name, (floor, factor) in factors.items():
        scaled, errors = (y - floor) * factor, errors_of_y * factor
        a, b = powers.get(name, (None, None))
        row: dict[str, object] = {"scaling": name, "a": a, "b": b, "status": "ok"}
        if np.isfinite(scaled).all() and len(scaled):
            row["spread"] = _known(spread(x, scaled, block)) if (scaled > 0).all() else None
            row["quality"] = _known(quality(x, scaled, errors, block)) if (errors > 0).all() else None
        if name == "fitted":
            row |= {"a": _known(found.a), "b": _known(found.b), "status": found.status}
            row |= {"holds_paper": found.holds_paper}
            if found.low is not None and found.high is not None:
                row |= {"a_low": found.low[0], "b_low": found.low[1], "a_high": found.high[0], "b_high": found.high[1]}
        rows.append(row)
    return rows


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
