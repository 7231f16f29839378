"""Stage: how well the test cascades of a real data set tell two models apart.

A real data set is one network: networks cannot be resampled, and what can be said holds for these data alone. Its test
cascades can be resampled, the same ones for both models.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.metrics.summary import mean_with_error
from cascurve.storage import parse_partition

SCHEMA = pa.schema(
    [
        ("group", pa.string()),
        ("replicate", pa.int64()),
        ("length", pa.int64()),
        ("a", pa.string()),
        ("b", pa.string()),
        ("log_ratio_se", pa.float64()),
    ]
)


def run(spec: Mapping[str, Any], scores: Mapping[tuple[str, str | None], Mapping[int, Any]]) -> pa.Table:
    """Kind "paired": standard error of log(MAP_a / MAP_b) over the test cascades, for every pair and real cell.

    Parameters
    ----------
    spec : keys grid and models, as for the points.
    scores : (data, model) -> length -> columns of scores, as arrays.

    Cascades of one source share its ranking: they are resampled together.
    """
    rows = []
    for data, lengths in spec["grid"]:
        place = parse_partition(data)
        if "dataset" not in place:
            continue
        key = {"group": place["dataset"], "replicate": int(place["replicate"])}
        for length in lengths:
            cells = {model: scores.get((data, model), {}).get(length) for model in spec["models"]}
            rows += [key | {"length": length} | row for row in _pairs(cells)]
    return pa.Table.from_pylist(rows, SCHEMA)


def _pairs(cells: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    scored = {model: columns for model, columns in cells.items() if isinstance(columns, Mapping)}
    for a, b in combinations(scored, 2):
        first, second = (np.asarray(scored[name]["ap"], np.float64) for name in (a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            change = first / np.nanmean(first) - second / np.nanmean(second)  # of the log ratio, to first order
        if np.isfinite(change).sum() > 1:
            error = mean_with_error(change, scored[a]["source"])[1]
            yield {"a": a, "b": b, "log_ratio_se": None if np.isnan(error) else error}
