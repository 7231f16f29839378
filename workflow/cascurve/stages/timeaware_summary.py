"""Stage: all windows and values of a study in one table each, and whether weights change the order of models."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import seeding
from cascurve.storage import parse_partition, read_table
from cascurve.study.timeaware import group_of
from cascurve.timeaware.cells import WEIGHTINGS
from cascurve.timeaware.order import Pair, compare, kendall

Row = dict[str, Any]


def gather(files: Iterable[str], name: str, models: Iterable[str]) -> pa.Table:
    """The tables of kind ``timeaware_<name>`` of all data, with the columns ``data`` and ``group`` in front.

    Rows of models that have left the study are left out.
    """
    chosen, tables = set(models), []
    for file in files:
        table, _ = read_table(file, f"timeaware_{name}")
        if "model" in table.column_names:
            table = table.filter(pa.array([model in chosen for model in table.column("model").to_pylist()], pa.bool_()))
        data = data_of(file)
        columns = {"data": data, "group": group_of(data)}
        for place, (column, value) in enumerate(columns.items()):
            table = table.add_column(place, column, pa.array([value] * len(table), pa.string()))
        tables.append(table)
    return pa.concat_tables(tables).replace_schema_metadata(None)


def left_out(files: Iterable[str]) -> pa.Table:
    """What has no result, and why: columns group, length, slices (empty: all of them), reason."""
    rows = set()
    for file in files:
        told = read_table(file, "timeaware_windows")[1]["left_out"]
        rows |= {(group_of(data_of(file)), int(length), slices, reason) for length, slices, reason in told}
    names = ("group", "length", "slices", "reason")
    schema = pa.schema([(name, pa.int32() if name == "length" else pa.string()) for name in names])
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in sorted(rows)], schema)


def orders(seed: int, entities: pa.Table) -> pa.Table:
    """Kind "timeaware_orders": one row per data, length, slices, metric and pair of models.

    Parameters
    ----------
    entities : the gathered table of that name.

    Returns
    -------
    Columns beside the keys: ``difference_uniform``, ``difference_weighted``, ``change`` and the limits of each
    (``…_low``, ``…_high``), ``entities``, ``turned``, ``verdict``, and ``tau``, Kendall's tau between the orders of all
    models.
    """
    rows: list[Row] = []
    for place, by_model in _by_place(entities).items():
        data, group, length, slices, metric = place
        values = _aligned(by_model)
        rng = seeding.generator(seed, "timeaware", data=data, length=length, slices=slices, metric=metric)
        means = [[float(np.nanmean(both[side])) for both in values.values()] for side in (0, 1)]
        key = {"data": data, "group": group, "length": length, "slices": slices, "metric": metric}
        tau = kendall(*means)
        rows += (key | {"tau": tau} | _row(pair) for pair in compare(values, rng=rng))
    return pa.Table.from_pylist(rows) if rows else pa.table({"verdict": pa.array([], pa.string())})


def data_of(file: str) -> str:
    """The coordinates in a path: ``dataset=twitter/replicate=0``."""
    place = parse_partition(file)
    return "/".join(f"{key}={value}" for key, value in place.items() if key != "lengths")


def _row(pair: Pair) -> Row:
    row: Row = {"a": pair.a, "b": pair.b, "entities": pair.entities, "verdict": pair.verdict, "turned": pair.turned}
    for weighting in WEIGHTINGS:
        name = f"difference_{weighting.lower()}"
        row |= {name: pair.difference[weighting], f"{name}_low": pair.low[weighting]}
        row |= {f"{name}_high": pair.high[weighting]}
    return row | {"change": pair.change, "change_low": pair.change_low, "change_high": pair.change_high}


def _by_place(entities: pa.Table) -> dict[tuple[Any, ...], dict[str, list[Row]]]:
    found: dict[tuple[Any, ...], dict[str, list[Row]]] = {}
    for row in entities.to_pylist():
        place = tuple(row[key] for key in ("data", "group", "length", "slices", "metric"))
        found.setdefault(place, {}).setdefault(row["model"], []).append(row)
    return found


def _aligned(by_model: dict[str, list[Row]]) -> dict[str, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """All models have the same entities in the same order: the test data say which there are."""
    sides = ("uniform", "weighted")
    columns = {model: [np.array([row[side] for row in rows]) for side in sides] for model, rows in by_model.items()}
    return {model: (one, two) for model, (one, two) in columns.items()}
