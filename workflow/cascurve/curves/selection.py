"""Which family of curves: each predicts the networks that it was not fitted to.

Families differ little over the difficulties of one study: the winner's name is weak evidence, and the margin by which
it wins says more. In-sample criteria name the true family less often still.
"""

import json
from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import plugins, seeding
from cascurve.curves.cells import DIFFICULTIES, cells, groups
from cascurve.curves.fitting import fit
from cascurve.curves.isotonic import decreasing
from cascurve.curves.resampling import network_weights

Floats = NDArray[np.float64]

ISOTONIC = "isotonic"
_MOST_FOLDS = 20


def select(points: pa.Table, *, seed: int, xs: Iterable[str] = DIFFICULTIES, resamples: int = 1000) -> pa.Table:
    """Every family in ``curves/`` and the isotonic fit, on SMAP, for each group, model and difficulty column.

    Returns
    -------
    Table of kind "families": group, model, x, family, and
        ``parameters`` : JSON object; null for the isotonic fit, which has none;
        ``r2``, ``aicc`` : in sample, replicates averaged;
        ``left_out_r2`` : 1 - squared error on left-out networks / total; null where a fold cannot be fitted;
        ``weight`` : share of resamples of networks in which the family has the least left-out error;
        ``status`` : of the fit to all cells.
    """
    families = [*plugins.names("curves"), ISOTONIC]
    rows: list[dict[str, object]] = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen = cells(points, group, x)
            rng = seeding.generator(seed, "families", group=group, x=x)
            weights = network_weights(len(chosen.networks), resamples, rng)
            for model in chosen.models:
                score = chosen.smap[:, chosen.models.index(model)]
                known = np.isfinite(chosen.x) & np.isfinite(score)
                made = _compete(families, chosen.x[known], score[known], chosen.network[known], weights)
                rows += [{"group": group, "model": model, "x": x} | row for row in made]
    texts = [(name, pa.string()) for name in ("group", "model", "x", "family", "parameters")]
    numbers = [(name, pa.float64()) for name in ("r2", "aicc", "left_out_r2", "weight")]
    return pa.Table.from_pylist(rows, pa.schema([*texts, *numbers, ("status", pa.string())]))


def _compete(
    families: list[str], x: Floats, y: Floats, network: NDArray[np.int64], weights: Floats
) -> list[dict[str, object]]:
    total = float(((y - y.mean()) ** 2).sum()) if len(y) else 0.0
    rows: list[dict[str, object]] = []
    errors: dict[int, Floats] = {}
    for place, family in enumerate(families):
        row: dict[str, object] = {"family": family, "status": "ok"}
        if family != ISOTONIC:
            found = fit(x, y, family)
            row["status"] = found.status
            if np.isfinite(found.r2):
                row |= {"r2": found.r2, "aicc": _aicc(found.rmse, len(y), len(found.parameters))}
                row["parameters"] = json.dumps(dict(found.parameters))
        elif total > 0:
            row["r2"] = 1 - float(((y - decreasing(x, y, x)) ** 2).sum()) / total
        error = _left_out(_predictor(family), x, y, network)
        if error is not None and total > 0:
            errors[place] = np.bincount(network, error, weights.shape[1]).astype(np.float64)
            row["left_out_r2"] = 1 - float(error.sum()) / total
        rows.append(row)
    if errors:
        best = np.argmin([weights @ error for error in errors.values()], axis=0)
        for rank, place in enumerate(errors):
            rows[place]["weight"] = float((best == rank).mean())
    return rows


def _left_out(
    predict: Callable[[Floats, Floats, Floats], Floats | None], x: Floats, y: Floats, network: NDArray[np.int64]
) -> Floats | None:
    """Squared error of each cell when its network's fold is left out; x beyond the others is moved to their range."""
    present = np.unique(network)
    if len(present) < 2:
        return None
    fold = np.searchsorted(present, network) % _MOST_FOLDS
    error = np.empty(len(x))
    for k in np.unique(fold):
        rest, here = fold != k, fold == k
        predicted = predict(x[rest], y[rest], np.clip(x[here], x[rest].min(), x[rest].max()))
        if predicted is None:
            return None
        error[here] = (y[here] - predicted) ** 2
    return error


def _predictor(family: str) -> Callable[[Floats, Floats, Floats], Floats | None]:
    def predict(x: Floats, y: Floats, at: Floats) -> Floats | None:
        found = fit(x, y, family)
        values = found(at)
        return values if np.isfinite(values).all() else None

    return decreasing if family == ISOTONIC else predict


def _aicc(rmse: float, n: int, n_parameters: int) -> float | None:
    """Akaike's criterion for normal errors, corrected for few points; the error variance counts as a parameter."""
    k = n_parameters + 1
    if n <= k + 1 or rmse == 0:
        return None
    return float(2 * n * np.log(rmse) + 2 * k + 2 * k * (k + 1) / (n - k - 1))
