"""The cells of one group, averaged over replicates, with all models side by side."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cascurve.errors import DataError

Floats = NDArray[np.float64]
DIFFICULTIES = ("apce", "apce_bayes")
"""The paper's measure of difficulty, and the one with the smallest error (docs/difficulty.md)."""
CONTROLS = ("oracle", "popularity", "random")
"""Models that tell what the others' scores mean."""


@dataclass(frozen=True)
class Cells:
    """Cells in the order of the points table; C cells, R replicates, M models. NaN where a result is missing.

    Attributes
    ----------
    size, length : shape (C,): N and L.
    network : shape (C,): the highest unit that cells share, as codes into `networks`.
    block : shape (C,): codes of the (N, L) groups.
    x_all, chance_all : shape (C, R): difficulty, and the exact chance SMAP.
    map_all, smap_all : shape (C, R, M).
    error_all : shape (C, R, M): standard error of MAP over the test cascades; NaN where the points have none.
    x_error_all : shape (C, R): standard error of the difficulty; NaN where the points have none.
    """

    group: str
    models: tuple[str, ...]
    networks: tuple[str, ...]
    mechanisms: tuple[str, ...]
    size: Floats
    length: Floats
    network: NDArray[np.int64]
    block: NDArray[np.int64]
    x_all: Floats
    chance_all: Floats
    map_all: Floats
    smap_all: Floats
    error_all: Floats
    x_error_all: Floats

    @cached_property
    def x(self) -> Floats:
        """Mean difficulty of each cell, shape (C,)."""
        return _mean(self.x_all, 1)

    @cached_property
    def x_error(self) -> Floats:
        """Standard error of each cell's mean difficulty, shape (C,)."""
        return _error_of_mean(self.x_error_all)

    @cached_property
    def map(self) -> Floats:
        """Mean MAP of each cell and model, shape (C, M)."""
        return _mean(self.map_all, 1)

    @cached_property
    def smap(self) -> Floats:
        """Mean SMAP of each cell and model, shape (C, M)."""
        return _mean(self.smap_all, 1)

    @cached_property
    def chance(self) -> Floats:
        """Exact chance SMAP of each cell, shape (C,)."""
        return _mean(self.chance_all, 1)

    @cached_property
    def relative_error(self) -> Floats:
        """Standard error of each cell's mean MAP over its MAP, shape (C, M)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return _error_of_mean(self.error_all) / self.map

    def values(self, model: str, y: str) -> Floats:
        """A model's "smap", "log_smap" or "map", shape (C,)."""
        scores = {"smap": self.smap, "log_smap": _log(self.smap), "map": self.map}[y]
        return scores[:, self.models.index(model)]

    def scores(self, model: str, y: str) -> tuple[Floats, Floats]:
        """(x, y) of a model where both are known; `y` as in `values`."""
        values = self.values(model, y)
        known = np.isfinite(self.x) & np.isfinite(values)
        return self.x[known], values[known]

    def log_ratio(self, a: str, b: str) -> Floats:
        """log(MAP_A / MAP_B) of each cell over the replicates that both models have, shape (C,).

        NaN where they share none, or where a MAP is 0.
        """
        first, second = (self.map_all[:, :, self.models.index(name)] for name in (a, b))
        shared = np.isfinite(first) & np.isfinite(second)
        means = (_mean(np.where(shared, values, np.nan), 1) for values in (first, second))
        logs = [_log(mean) for mean in means]
        return logs[0] - logs[1]


def groups(points: pa.Table) -> list[str]:
    """The curve groups of a points table, in its order."""
    return list(dict.fromkeys(points.column("group").to_pylist()))


def cells(points: pa.Table, group: str, x: str = "apce") -> Cells:
    """The cells of one group.

    Parameters
    ----------
    points : kind "points"; rows whose status is not "ok" count as missing.
    x : column that measures difficulty.

    Raises
    ------
    DataError : no such column or group.
    """
    if x not in points.column_names:
        raise DataError(f"the points have no difficulty column '{x}'; they have {', '.join(points.column_names)}")
    rows = _rows(points, group)
    if not rows:
        raise DataError(f"the points have no group '{group}'; they have {', '.join(groups(points))}")
    keys = [(row["network"], row.get("mechanism"), row["length"]) for row in rows]
    cell, first = _codes(keys)
    replicate, replicates = _codes([row["replicate"] for row in rows])
    model, models = _codes([row["model"] for row in rows])
    by_key = dict(zip(keys, rows, strict=True))
    named = [by_key[key] for key in first]
    network, networks = _codes([row["network"] for row in named])
    block, _ = _codes([(row.get("n") or row["network"], row["length"]) for row in named])
    mapped = np.full((len(first), len(replicates), len(models)), np.nan)
    scaled, error = mapped.copy(), mapped.copy()
    difficulty, x_error, chance, size = (np.full(mapped.shape[:2], np.nan) for _ in range(4))
    for row, c, r, m in zip(rows, cell, replicate, model, strict=True):
        if row["status"] == "ok":
            mapped[c, r, m], scaled[c, r, m] = _number(row["map"]), _number(row["smap"])
            error[c, r, m] = _number(row.get("map_se"))
            difficulty[c, r], x_error[c, r] = _number(row[x]), _number(row.get(f"{x}_se"))
            size[c, r] = _number(row["n_users"])
            chance[c, r] = _number(row["chance"]) * size[c, r] / row["length"]
    return Cells(
        group=group,
        models=tuple(models),
        networks=tuple(networks),
        mechanisms=tuple(str(row.get("mechanism") or "") for row in named),
        size=_mean(size, 1),
        length=np.array([row["length"] for row in named], np.float64),
        network=network,
        block=block,
        x_all=difficulty,
        chance_all=chance,
        map_all=mapped,
        smap_all=scaled,
        error_all=error,
        x_error_all=x_error,
    )


def is_synthetic(points: pa.Table, group: str) -> bool:
    """Whether the group was simulated: its rows have the N of a network."""
    return any(row.get("n") for row in _rows(points, group))


def _rows(points: pa.Table, group: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = points.filter(pc.field("group") == group).to_pylist()
    return rows


def _codes(values: list[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Codes of the values by first appearance, and the distinct values."""
    distinct = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return np.array([distinct[value] for value in values], np.int64), list(distinct)


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _log(values: Floats) -> Floats:
    """Logarithm; NaN where there is none."""
    return np.log(np.where(values > 0, values, np.nan))


def _error_of_mean(errors: Floats) -> Floats:
    """Standard error of the mean over replicates (axis 1), from that of each."""
    return np.sqrt(_mean(errors**2, 1) / np.maximum(np.isfinite(errors).sum(1), 1))


def _mean(values: Floats, axis: int) -> Floats:
    """Mean over the known values; NaN where there is none."""
    known = np.isfinite(values)
    count = known.sum(axis)
    total = np.where(known, values, 0.0).sum(axis)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
