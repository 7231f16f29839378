"""Fit one curve to points, and the curves of all groups and models of a points table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from cascurve import plugins
from cascurve.curves.cells import DIFFICULTIES, cells, groups
from cascurve.errors import DataError


@dataclass(frozen=True)
class Fit:
    """A fitted curve.

    Attributes
    ----------
    parameters : name -> value; NaN where the fit is impossible.
    r2 : 1 - RSS / total sum of squares; weak evidence, see `cascurve.curves.nulls`.
    rmse : root of the mean squared residual.
    x_min, x_max : the range of x that the points cover; the curve says nothing outside.
    status : "ok", or why the parameters are not identified.
    """

    family: str
    parameters: Mapping[str, float]
    r2: float
    rmse: float
    n_points: int
    x_min: float
    x_max: float
    status: str

    def __call__(self, x: ArrayLike) -> NDArray[np.float64]:
        """The curve at `x`."""
        values: NDArray[np.float64] = _family(self.family).evaluate(x, **self.parameters)
        return values

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Fit":
        """The fit in one row of a fits table."""

        def number(name: str) -> float:
            return float("nan") if row[name] is None else float(row[name])

        return cls(
            family=row["family"],
            parameters={name: number(name) for name in _family(row["family"]).PARAMETERS},
            r2=number("r2"),
            rmse=number("rmse"),
            n_points=row["n_points"],
            x_min=number("x_min"),
            x_max=number("x_max"),
            status=row["status"],
        )


def fit(x: ArrayLike, y: ArrayLike, family: str = "exp3") -> Fit:
    """Least-squares curve through points.

    Parameters
    ----------
    x, y : shape (n,), finite.
    family : a curve family in ``curves/``.

    Returns
    -------
    Fit
        With a status other than "ok" where the data do not identify the curve: too few points, one x, flat y,
        or a parameter at its bound.
    """
    xs, ys = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if xs.shape != ys.shape or xs.ndim != 1:
        raise DataError(f"expected x and y of one length, found shapes {xs.shape} and {ys.shape}")
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise DataError("expected finite x and y, found NaN or infinity", remedy="leave out cells without a result")
    module = _family(family)
    names = module.PARAMETERS
    status = _obstacle(xs, ys, len(names))
    if status is None:
        values, status = module.estimate(xs, ys)
    else:
        values = (np.nan,) * len(names)
    residual = ys - module.evaluate(xs, *values)
    total = float(((ys - ys.mean()) ** 2).sum()) if len(ys) else 0.0
    loss = float((residual**2).sum())
    return Fit(
        family=family,
        parameters=dict(zip(names, values, strict=True)),
        r2=1.0 - loss / total if total > 0 else float("nan"),
        rmse=float(np.sqrt(loss / len(ys))) if len(ys) else float("nan"),
        n_points=len(ys),
        x_min=float(xs.min()) if len(xs) else float("nan"),
        x_max=float(xs.max()) if len(xs) else float("nan"),
        status=status,
    )


def fit_points(points: pa.Table, *, xs: Iterable[str] = DIFFICULTIES, family: str = "exp3") -> pa.Table:
    """The curve of every group and model, for SMAP, its logarithm, and MAP against each difficulty column.

    Parameters
    ----------
    points : kind "points"; a cell's replicates are averaged before the fit.
    xs : difficulty columns; those that the points lack are left out.

    Returns
    -------
    Table of kind "fits": group, model, x, y, family, the family's parameters, r2, rmse, n_points, x_min, x_max, status.
    """
    rows = []
    for group in groups(points):
        for x in filter(set(points.column_names).__contains__, xs):
            chosen = cells(points, group, x)
            for model in chosen.models:
                for y in ("smap", "log_smap", "map"):
                    found = fit(*chosen.scores(model, y), family)
                    place = {"group": group, "model": model, "x": x, "y": y, "family": family}
                    facts = {key: getattr(found, key) for key in ("r2", "rmse", "n_points", "x_min", "x_max", "status")}
                    rows.append(place | dict(found.parameters) | facts)
    return pa.Table.from_pylist(rows, _schema(family))


@cache
def _family(name: str) -> ModuleType:
    return plugins.load("curves", name)


def _obstacle(x: NDArray[np.float64], y: NDArray[np.float64], n_parameters: int) -> str | None:
    """Why no curve can be told from these points, if so."""
    if len(x) <= n_parameters:
        return f"{len(x)} points, at least {n_parameters + 1} needed"
    distinct = len(np.unique(x))
    if distinct < n_parameters:
        return f"{distinct} distinct x, at least {n_parameters} needed"
    if np.ptp(y) <= 1e-9 * np.abs(y).max():
        return "flat: y does not vary"
    return None


def _schema(family: str) -> pa.Schema:
    texts = [(name, pa.string()) for name in ("group", "model", "x", "y", "family")]
    values = [(name, pa.float64()) for name in (*_family(family).PARAMETERS, "r2", "rmse")]
    rest = [("n_points", pa.int64()), ("x_min", pa.float64()), ("x_max", pa.float64()), ("status", pa.string())]
    return pa.schema([*texts, *values, *rest])
