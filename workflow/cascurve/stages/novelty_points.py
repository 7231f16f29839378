"""Stage: novelty beside accuracy and difficulty, one row per cell and model."""

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from cascurve.novelty.scoring import column
from cascurve.stages.points import coordinates
from cascurve.storage import parse_partition, partition, read_table


def run(spec: dict[str, Any], points: pa.Table, files: Iterable[str]) -> pa.Table:
    """Kind "novelty_points": the points, and beside them the novelty of each cell and model.

    Parameters
    ----------
    spec : keys measures (names) and cutoffs.
    points : kind "points".
    files : tables of kind "novelty".
    """
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for file in files:
        place = parse_partition(file)
        place.pop("lengths")
        at = coordinates(partition(place))
        for row in read_table(file, "novelty")[0].to_pylist():
            found.setdefault(_key(at | {"length": row["length"], "model": row["model"]}), row)
    names = [column(label, k) for label in spec["measures"] for k in spec["cutoffs"]]
    rows = points.to_pylist()
    for name in ("lists", *(f"{name}{ending}" for name in names for ending in ("", "_se"))):
        cells = [found.get(_key(row), {}).get(name) if row["status"] == "ok" else None for row in rows]
        points = points.append_column(name, pa.array(cells, pa.int64() if name == "lists" else pa.float64()))
    return points


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("group", "network", "mechanism", "replicate", "length", "model"))
