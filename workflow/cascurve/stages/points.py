"""Stage: one row per cell and model, from difficulties and per-cascade scores."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.metrics import chance, normalised
from cascurve.metrics.scaled_map import scaled_map
from cascurve.metrics.summary import mean_with_error
from cascurve.stages import paired
from cascurve.storage import parse_partition, partition, read_table, run_of

COORDINATES = pa.schema(
    [
        ("group", pa.string()),  # curves are drawn per group: a topology, or a real data set
        ("network", pa.string()),  # the highest level that cells share: what a bootstrap resamples
        ("n", pa.int64()),
        ("degree", pa.float64()),
        ("mechanism", pa.string()),
        ("replicate", pa.int64()),
        ("length", pa.int64()),
        ("model", pa.string()),
        ("status", pa.string()),
    ]
)


def run(spec: dict[str, Any], difficulty_files: Iterable[str], score_files: Iterable[str]) -> tuple[pa.Table, pa.Table]:
    """Tables of kind "points" and "paired"; a cell without a result has a reason in ``status`` and nulls elsewhere.

    Parameters
    ----------
    spec : keys grid (pairs of data and its lengths) and models; rows come in this order.
    """
    difficulty = _rows(difficulty_files, "difficulty")
    scores = _rows(score_files, "scores")
    rows = [
        _point(data, length, model, difficulty.get((data, None), {}), scores.get((data, model), {}))
        for data, lengths in spec["grid"]
        for length in lengths
        for model in spec["models"]
    ]
    names = list(dict.fromkeys([*COORDINATES.names, *(name for row in rows for name in row)]))
    types = {field.name: field.type for field in COORDINATES}
    table = pa.table({name: pa.array([row.get(name) for row in rows], types.get(name)) for name in names})
    return table, paired.run(spec, scores)


def _rows(files: Iterable[str], kind: str) -> dict[tuple[str, str | None], dict[int, Any]]:
    """(data, model or None) -> length -> its rows as arrays by column, or the reason why there are none."""
    found: dict[tuple[str, str | None], dict[int, Any]] = {}
    for file in files:
        table, header = read_table(file, kind)
        place = parse_partition(file)
        place.pop("lengths")
        data = partition(place)
        for model, rows, failed in _by_model(table, header["failed"]):
            cells = found.setdefault((data, model), {})
            for length, reason in failed.items():
                cells.setdefault(int(length), reason)
            columns = {name: rows.column(name).to_numpy() for name in rows.column_names}
            for length in np.unique(columns["length"]):
                chosen = columns["length"] == length
                cells.setdefault(int(length), {name: values[chosen] for name, values in columns.items()})
    return found


def _by_model(table: pa.Table, failed: dict[str, Any]) -> Iterator[tuple[str | None, pa.Table, dict[str, str]]]:
    """Each model, its rows and its failed lengths; one turn with None for a table without models."""
    if "model" not in table.column_names:
        yield None, table, failed
        return
    encoded = table.column("model").combine_chunks().dictionary_encode()
    codes, rows = encoded.indices.to_numpy(), table.drop_columns("model")
    names = encoded.dictionary.to_pylist()
    for model in dict.fromkeys([*names, *failed]):
        chosen = codes == names.index(model) if model in names else np.zeros(len(rows), bool)
        yield model, run_of(chosen, rows), failed.get(model, {})


def _point(
    data: str, length: int, model: str, difficulty: Mapping[int, Any], scores: Mapping[int, Any]
) -> dict[str, Any]:
    row = coordinates(data) | {"length": length, "model": model}
    hard, scored = difficulty.get(length, "no difficulty"), scores.get(length, "no scores")
    if isinstance(scored, str) or isinstance(hard, str):
        return row | {"status": hard if isinstance(hard, str) else scored}
    row |= {"status": "ok"} | {name: values[0].item() for name, values in hard.items() if name != "length"}
    row |= dict(_means(scored))
    n_users = row["n_users"]
    floor = chance.average_precision(n_users - 1, length - 1)
    return row | {
        "smap": float(scaled_map(row["map"], n_users, length)),
        "chance": float(floor),
        "map_corrected": float(normalised.chance_corrected(row["map"], floor)),
    }


def coordinates(data: str) -> dict[str, Any]:
    """The columns of a table that say where a set of cascades stands in the grid, from its Hive path."""
    place = parse_partition(data)
    replicate = int(place["replicate"])
    if "dataset" in place:
        # a grade tells the cells of a real data set apart, as a mechanism does those of a network
        grade = {"mechanism": place["grade"]} if "grade" in place else {}
        return {"group": place["dataset"], "network": place["dataset"], **grade, "replicate": replicate}
    network = "/".join(place[key] for key in ("topology", "n", "degree"))
    return {
        "group": place["topology"],
        "network": network,
        "n": int(place["n"]),
        "degree": float(place["degree"]),
        "mechanism": place["mechanism"],
        "replicate": replicate,
    }


def _means(scored: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Mean of each measure over the test cascades; that of average precision is MAP, with its standard error."""
    for name, values in scored.items():
        if name in ("length", "cascade", "source"):
            continue
        mean, error = mean_with_error(values)
        if name == "ap":
            yield "map", mean
            yield "map_se", error
        else:
            yield name, mean
