"""Simultaneous bands of fitted curves, from resampled networks and re-estimated difficulties."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves import exp3
from cascurve.curves.cells import DIFFICULTIES, Cells, cells, groups
from cascurve.curves.fitting import fit
from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, network_weights

Floats = NDArray[np.float64]

FEWEST = FEWEST_NETWORKS + len(exp3.PARAMETERS) - 1
"""Networks needed for a band of the exponential."""

_GRID = 61


@dataclass(frozen=True)
class CurveBand:
    """A model's exponential curve on a grid of difficulties, with the band that holds all of it at once.

    Attributes
    ----------
    x, y, low, high : shape (61,).
    """

    x: Floats
    y: Floats
    low: Floats
    high: Floats


def bands(
    points: pa.Table, *, seed: int, xs: Iterable[str] = DIFFICULTIES, resamples: int = 2000, level: float = 0.95
) -> pa.Table:
    """The SMAP curve of every group and model with its band; models of a group share the resamples.

    Returns
    -------
    Table of kind "bands": group, model, x (the difficulty column), at (a difficulty), y, low, high. A model without an
    identified curve, or on fewer than 7 networks, has no rows.
    """
    rows: list[dict[str, object]] = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen = cells(points, group, x)
            rng = seeding.generator(seed, "bands", group=group, x=x)
            weights = network_weights(len(chosen.networks), resamples, rng)
            moved = moves(chosen, resamples, rng)
            for model in chosen.models:
                found = band(chosen, model, weights, moved, level=level)
                if found is not None:
                    place = {"group": group, "model": model, "x": x}
                    columns = (found.x.tolist(), found.y.tolist(), found.low.tolist(), found.high.tolist())
                    rows += [
                        place | dict(zip(("at", "y", "low", "high"), at, strict=True))
                        for at in zip(*columns, strict=True)
                    ]
    texts = [(name, pa.string()) for name in ("group", "model", "x")]
    return pa.Table.from_pylist(
        rows, pa.schema([*texts, *((name, pa.float64()) for name in ("at", "y", "low", "high"))])
    )


def moves(chosen: Cells, resamples: int, rng: np.random.Generator) -> Floats:
    """How far a re-estimate of each cell's difficulty lies from the estimate, shape (resamples, cells).

    Normal, with the standard error that resampling the cell's cascades gave; 0 where the points have none.
    """
    error = np.where(np.isfinite(chosen.x_error), chosen.x_error, 0.0)
    return error * rng.standard_normal((resamples, len(error)))


def band(
    chosen: Cells, model: str, weights: Floats, moved: Floats | None = None, *, level: float = 0.95
) -> CurveBand | None:
    """The band of one model's SMAP curve; None without an identified curve or with too few networks.

    Parameters
    ----------
    weights : shape (resamples, networks), from `network_weights`.
    moved : from `moves`: errors of the difficulties; None takes them as known.
    """
    score = chosen.smap[:, chosen.models.index(model)]
    known = np.isfinite(chosen.x) & np.isfinite(score)
    x, y, network = chosen.x[known], score[known], chosen.network[known]
    n_networks = len(np.unique(network))
    found = fit(x, y)
    if found.status != "ok" or n_networks < FEWEST:
        return None
    if moved is None or not moved.any():
        parameters = exp3.estimate_many(x, y, weights[:, network])
    else:
        parameters = exp3.estimate_each(x + moved[:, known], y, weights[:, network])
    at = np.linspace(x.min(), x.max(), _GRID)
    draws = parameters[:, :1] + parameters[:, 1:2] * np.exp(-parameters[:, 2:] * at)
    made = max_t_band(found(at), draws, np.full(_GRID, n_networks), level=level, n_parameters=len(exp3.PARAMETERS))
    return CurveBand(at, made.estimate, made.low, made.high)
