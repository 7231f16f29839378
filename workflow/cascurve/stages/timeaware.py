"""Stage: models over time, from the kept rankings: accuracy, difficulty and weight of every window."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.dataset import DataSet, DataSets
from cascurve.errors import CellError
from cascurve.metrics import chance
from cascurve.stages.cells import each_length
from cascurve.storage import parse_partition, read_table, run_of, values_of
from cascurve.timeaware.cells import Cells
from cascurve.timeaware.infections import Infections, infection_cells, infection_ranks, infections
from cascurve.timeaware.measures import RATES, measure
from cascurve.timeaware.series import weight_moments
from cascurve.timeaware.slices import Slicing, is_calendar
from cascurve.timeaware.window_disorder import disorder
from cascurve.timeaware.windows import windows

Row = dict[str, Any]
Tables = dict[str, pa.Table]
LeftOut = tuple[int, str, str]
"""Length, slices (empty: all of them), and why there is nothing."""
KEYS = [("length", pa.int32()), ("slices", pa.string())]
SCHEMAS = {
    "windows": [
        *KEYS, ("slice", pa.int32()), ("low", pa.float64()), ("up", pa.float64()), ("seconds", pa.bool_()),
        ("entities", pa.int64()),
        ("infections", pa.int64()), ("weight", pa.float64()), ("weight_sd", pa.float64()), ("cascades", pa.int64()),
        ("apce", pa.float64()), ("apce_bayes", pa.float64()), ("apce_bayes_se", pa.float64()),
        ("apce_note", pa.string()), ("pair_support", pa.float64()), ("pairs_twice", pa.int64()),
    ],
    "performance": [
        ("model", pa.string()), *KEYS, ("slice", pa.int32()), ("metric", pa.string()), ("uniform", pa.float64()),
        ("weighted", pa.float64()), ("chance", pa.float64()),
    ],
    "entities": [
        ("model", pa.string()), *KEYS, ("metric", pa.string()), ("source", pa.int32()), ("uniform", pa.float64()),
        ("weighted", pa.float64()),
    ],
}  # fmt: skip


def run(spec: dict[str, Any], datasets: DataSets, files: Iterable[str]) -> tuple[Tables, list[LeftOut]]:
    """Tables of kinds "timeaware_windows", "…_performance" and "…_entities", and what is left out.

    Parameters
    ----------
    spec : keys slices, entity, clock and lengths.
    files : tables of kind "rankings"; a folder ``model=...`` names the model of each.

    Returns
    -------
    windows : one row per window with an infection: entities and infections in it, mean burst-aware weight and its
        deviation over entities, and the disorder of the parts of all cascades that lie in it; ``seconds``: whether
        times are known to be in seconds.
    performance : one row per model, window and metric: mean over the entities, uniform and burst-aware, and what a
        random ranking would score.
    entities : one row per model, metric and entity: the value over its windows, uniform and burst-aware.
    """
    rows: dict[str, list[Row]] = {name: [] for name in SCHEMAS}
    left_out: list[LeftOut] = []
    rankings = [(parse_partition(file)["model"], read_table(file, "rankings")[0]) for file in files]

    def one(length: int) -> None:
        data = datasets.by_length[length]
        found = infections(data.test, spec["entity"], spec["clock"])
        seconds = found.unit == "seconds" or any(is_calendar(str(asked)) for asked in spec["slices"])
        for asked in spec["slices"]:
            try:
                step = windows(found, asked)
            except CellError as error:
                left_out.append((length, str(asked), str(error)))
                continue
            place = {"length": length, "slices": str(asked)}
            cells = infection_cells(found, step)
            rows["windows"] += (place | {"seconds": seconds} | row for row in _windows(data, cells, spec["clock"]))
            seen: set[str] = set()  # chunks of a model may overlap: the first that holds a length counts
            for model, table in rankings:
                ranked = run_of(table.column("length").to_numpy() == length, table)
                if len(ranked) and model not in seen:
                    seen.add(model)
                    for name, row in _measured(found, step, cells, ranked, data.n_users):
                        rows[name].append({"model": model} | place | row)

    _, failed = each_length([length for length in spec["lengths"] if length in datasets.by_length], one)
    failed |= {length: datasets.failed[length] for length in spec["lengths"] if length in datasets.failed}
    left_out += ((length, "", reason) for length, reason in failed.items())
    tables = {name: pa.Table.from_pylist(found, pa.schema(SCHEMAS[name])) for name, found in rows.items()}
    return tables, sorted(left_out)


def warnings(left_out: Iterable[LeftOut]) -> Iterator[str]:
    """One sentence for each way of slicing that does not fit the data; data without times are no fault."""
    first: dict[str, tuple[int, str]] = {}
    for length, slices, reason in left_out:
        if slices:
            first.setdefault(slices, (length, reason))
    for length, reason in first.values():
        yield f"at length {length}, {reason}"


def _measured(
    found: Infections, step: Slicing, cells: Cells, ranked: pa.Table, n_users: int
) -> Iterator[tuple[str, Row]]:
    scores = values_of(ranked.column("scores").combine_chunks()).reshape(len(ranked), n_users)
    rows = np.searchsorted(ranked.column("source").to_numpy(), found.source)
    ranks = infection_ranks(found, step, scores, rows)
    values, floors = measure(ranks), measure(chance.random_ranking(ranks))
    for metric in RATES:
        by_weighting = [cells.over_time(values[metric], weighting)[1] for weighting in ("UNIFORM", "WEIGHTED")]
        slices, floor, _, _ = cells.over_time(floors[metric])
        for place, one, two, low in zip(slices.tolist(), *by_weighting, floor, strict=True):
            yield "performance", {"slice": place, "metric": metric, "uniform": one, "weighted": two, "chance": low}
        own = [cells.entity_values(values[metric], weighting) for weighting in ("UNIFORM", "WEIGHTED")]
        for source, one, two in zip(found.source.tolist(), *own, strict=True):
            if not np.isnan(one):
                yield "entities", {"metric": metric, "source": source, "uniform": one, "weighted": two}


def _windows(data: DataSet, cells: Cells, clock: str) -> Iterator[Row]:
    slices, weight, spread, entities = weight_moments(cells)
    infected = np.bincount(cells.slice, cells.relevant, cells.slicing.count)[slices]
    every = data.part("all")
    assert every.times is not None
    start = every.times[every.offsets[:-1]] if clock == "since_start" else np.zeros(len(every))
    index = cells.slicing.index(every.times - np.repeat(start, every.lengths))
    for place, *numbers in zip(
        slices.tolist(), weight.tolist(), spread.tolist(), entities.tolist(), infected.astype(int).tolist(), strict=True
    ):
        low = cells.slicing.start + cells.slicing.width * place
        row = dict(zip(("weight", "weight_sd", "entities", "infections"), numbers, strict=True))
        yield {"slice": place, "low": low, "up": low + cells.slicing.width} | row | disorder(every, index == place)
