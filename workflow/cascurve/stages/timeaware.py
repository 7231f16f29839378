"""Stage: models over time, from the kept rankings: accuracy, difficulty and weight of every window."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet, DataSets
from cascurve.disorder import apce
from cascurve.metrics import chance
from cascurve.stages.cells import each_length
from cascurve.storage import parse_partition, read_table, run_of
from cascurve.timeaware.cells import Cells
from cascurve.timeaware.infections import Infections, infection_cells, infection_ranks, infections, windows
from cascurve.timeaware.measures import RATES, measure
from cascurve.timeaware.series import weight_moments
from cascurve.timeaware.slices import Slicing

Row = dict[str, Any]
Tables = dict[str, pa.Table]
KEYS = [("length", pa.int32()), ("slices", pa.string())]
SCHEMAS = {
    "windows": [
        *KEYS, ("slice", pa.int32()), ("low", pa.float64()), ("up", pa.float64()), ("entities", pa.int64()),
        ("infections", pa.int64()), ("weight", pa.float64()), ("weight_sd", pa.float64()), ("cascades", pa.int64()),
        ("apce", pa.float64()), ("apce_bayes", pa.float64()), ("apce_bayes_se", pa.float64()),
        ("pair_support", pa.float64()),
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


def run(spec: dict[str, Any], datasets: DataSets, files: Iterable[str]) -> tuple[Tables, dict[int, str]]:
    """Tables of kinds "timeaware_windows", "…_performance" and "…_entities", and why lengths are left out.

    Parameters
    ----------
    spec : keys slices, entity, clock and lengths.
    files : tables of kind "rankings"; a folder ``model=...`` names the model of each.

    Returns
    -------
    windows : one row per window with an infection: entities and infections in it, mean burst-aware weight and its
        deviation over entities, and the disorder of the parts of all cascades that lie in it.
    performance : one row per model, window and metric: mean over the entities, uniform and burst-aware, and what a
        random ranking would score.
    entities : one row per model, metric and entity: the value over its windows, uniform and burst-aware.
    """
    rows: dict[str, list[Row]] = {name: [] for name in SCHEMAS}
    rankings = [(parse_partition(file)["model"], read_table(file, "rankings")[0]) for file in files]

    def one(length: int) -> None:
        data = datasets.by_length[length]
        found = infections(data.test, spec["entity"], spec["clock"])
        for asked in spec["slices"]:
            step = windows(found, asked)
            place = {"length": length, "slices": str(asked)}
            cells = infection_cells(found, step)
            rows["windows"] += (place | row for row in _windows(data, cells, spec["clock"]))
            seen: set[str] = set()  # chunks of a model may overlap: the first that holds a length counts
            for model, table in rankings:
                ranked = run_of(table.column("length").to_numpy() == length, table)
                if len(ranked) and model not in seen:
                    seen.add(model)
                    for name, row in _measured(found, step, cells, ranked, data.n_users):
                        rows[name].append({"model": model} | place | row)

    _, failed = each_length([length for length in spec["lengths"] if length in datasets.by_length], one)
    failed |= {length: datasets.failed[length] for length in spec["lengths"] if length in datasets.failed}
    return {name: pa.Table.from_pylist(found, pa.schema(SCHEMAS[name])) for name, found in rows.items()}, failed


def _measured(
    found: Infections, step: Slicing, cells: Cells, ranked: pa.Table, n_users: int
) -> Iterator[tuple[str, Row]]:
    scores = ranked.column("scores").combine_chunks().flatten().to_numpy().reshape(len(ranked), n_users)
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
        low = float(cells.slicing.lows[place])
        row = dict(zip(("weight", "weight_sd", "entities", "infections"), numbers, strict=True))
        yield {"slice": place, "low": low, "up": low + cells.slicing.width} | row | _disorder(every, index == place)


def _disorder(cascades: CascadeSet, inside: np.ndarray[Any, Any]) -> Row:
    """APCE of the parts of cascades that lie in a window; None where no part has two users."""
    owner = np.repeat(np.arange(len(cascades)), cascades.lengths)
    count = np.bincount(owner[inside], minlength=len(cascades))
    chosen = inside & (count[owner] >= 2)
    kept = count[count >= 2]
    if not len(kept):
        return {"cascades": 0}
    part = CascadeSet(cascades.n_users, np.concatenate([[0], np.cumsum(kept)]), cascades.users[chosen])
    found = apce.measure(part, rng=np.random.default_rng(0))  # the jackknife: nothing is drawn
    names = ("apce", "apce_bayes", "apce_bayes_se", "pair_support")
    return {"cascades": len(part)} | {name: _finite(getattr(found, name)) for name in names}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
