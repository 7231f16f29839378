"""Stage: curves, what their R² is worth, and the comparison of every pair of models."""

from typing import Any

import pyarrow as pa

from cascurve.curves.cells import DIFFICULTIES
from cascurve.curves.comparison import compare_all
from cascurve.curves.fitting import fit_points
from cascurve.curves.nulls import nulls
from cascurve.errors import DataError


def run(spec: dict[str, Any], points: pa.Table, paired: pa.Table) -> tuple[pa.Table, pa.Table, str]:
    """Tables of kind "fits" and "nulls", and the comparisons as JSON lines, one per group.

    Parameters
    ----------
    spec : keys seed and x (the difficulty column that the comparisons go by).
    paired : kind "paired".
    """
    statuses = points.column("status").to_pylist()
    if "ok" not in statuses:
        raise DataError(f"no cell of the study has a result; the first one says: {statuses[0]}")
    difficulties = tuple(dict.fromkeys((*DIFFICULTIES, spec["x"])))
    compared = compare_all(points, paired=paired, seed=spec["seed"], x=spec["x"])
    lines = "".join(f"{comparison.to_json()}\n" for comparison in compared)
    return fit_points(points, xs=difficulties), nulls(points, seed=spec["seed"], xs=difficulties), lines
