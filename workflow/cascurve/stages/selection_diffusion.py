"""Stage: by which measure to choose among a study's models when few cascades are there to choose by."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import plugins, seeding
from cascurve.errors import DataError
from cascurve.metrics.scaled_map import scaled_map
from cascurve.selection.few_cascades import few_cascades
from cascurve.selection.measuring import sign
from cascurve.stages.points import coordinates
from cascurve.stages.selection_summary import summary
from cascurve.storage import parse_partition, partition, read_table

DERIVED = ("map", "smap")
ALL_LENGTHS = 0

Floats = NDArray[np.float64]
Cell = dict[str, dict[str, Any]]
"""Model -> column -> values of the test cascades of one length."""


def run(spec: dict[str, Any], score_files: Iterable[str]) -> tuple[pa.Table, pa.Table]:
    """Tables of kind "selection_cells" and "selection_summary".

    Parameters
    ----------
    spec : keys seed, candidates (label -> models), kinds (label -> one model | mixed models), goals, measures (label
        -> ``use`` and parameters), sizes, tests, repeats, ties, tolerances, control.
    score_files : tables of kind "scores".

    Returns
    -------
    cells : a row per data, length (0 = the cascades of all lengths together), candidates, goal, measure and m.
    summary : as `stages.selection_summary` gives it.
    """
    rows: list[dict[str, Any]] = []
    for data, by_length in _cells(score_files).items():
        for label, models in spec["candidates"].items():
            for length, values, sources in _sets(by_length, models, spec["measures"]):
                rows += _rows(spec, data, length, label, values, sources)
    if not rows:
        raise DataError(
            "no data set has scores of two candidates, so there is nothing to choose between",
            remedy="check selection.diffusion.candidates, and the missing results in the report",
        )
    cells = pa.Table.from_pylist(rows)
    return cells, summary(cells, seed=spec["seed"], tolerances=spec["tolerances"], control=spec["control"])


def _cells(files: Iterable[str]) -> dict[str, dict[int, Cell]]:
    """Data (Hive path) -> length -> its scores; where chunks overlap the first counts."""
    found: dict[str, dict[int, Cell]] = {}
    for file in files:
        table, _ = read_table(file, "scores")
        place = parse_partition(file)
        place.pop("lengths")
        names = np.array(table.column("model").to_pylist())
        lengths = table.column("length").to_numpy()
        columns = {n: table.column(n).to_numpy() for n in table.column_names if n not in ("model", "length")}
        by_length = found.setdefault(partition(place), {})
        for length in np.unique(lengths).tolist():
            for model in dict.fromkeys(names[lengths == length].tolist()):
                chosen = (lengths == length) & (names == model)
                cell = by_length.setdefault(length, {})
                cell.setdefault(model, {name: values[chosen] for name, values in columns.items()})
    return found


def _sets(
    by_length: Mapping[int, Cell], models: list[str], measures: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[int, dict[str, Floats], NDArray[np.int64]]]:
    """Length, values per model of shape (measures, cascades), and sources; then those of all lengths together."""
    parts = []
    for length, cell in sorted(by_length.items()):
        values = {model: _values(cell[model], length, measures) for model in models if model in cell}
        if len(values) > 1:
            parts.append((length, values, next(iter(cell.values()))["source"].astype(np.int64)))
    yield from parts
    shared = [model for model in models if all(model in values for _, values, _ in parts)]
    if len(parts) > 1 and len(shared) > 1:
        together = {model: np.hstack([values[model] for _, values, _ in parts]) for model in shared}
        yield ALL_LENGTHS, together, np.concatenate([sources for _, _, sources in parts])


def _values(columns: Mapping[str, Any], length: int, measures: Mapping[str, Mapping[str, Any]]) -> Floats:
    """MAP, SMAP without its factor N, which is the same for all, and the further measures; greater is better."""
    ap = columns["ap"]
    found = [ap, scaled_map(ap, 1, length)]
    for given in measures.values():
        parameters = {key: value for key, value in given.items() if key != "use"}
        column = plugins.load("metrics", given["use"]).column(**parameters)
        found.append(sign(given["use"]) * columns[column])
    return np.stack(found)


def _rows(
    spec: dict[str, Any], data: str, length: int, label: str, values: dict[str, Floats], sources: NDArray[np.int64]
) -> Iterator[dict[str, Any]]:
    names = [*DERIVED, *spec["measures"]]
    found = few_cascades(
        np.stack(list(values.values()), axis=1),
        [names.index(goal) for goal in spec["goals"]],
        np.unique(sources, return_inverse=True)[1],
        **{key: spec[key] for key in ("sizes", "tests", "repeats", "ties")},
        rng=seeding.generator(spec["seed"], "selection", data=data, length=length, candidates=label),
    )
    place = {"n": None, "degree": None, "mechanism": None} | coordinates(data) | {"length": length}
    about = {"candidates": label, "kind": spec["kinds"][label], "n_models": len(values), "n_cascades": len(sources)}
    for k, m in enumerate(spec["sizes"]):
        for f, goal in enumerate(spec["goals"]):
            for g, measure in enumerate(names):
                numbers = {
                    "msa": found.ability[k, f, g],
                    "msa_se": found.ability_se[k, f, g],
                    "gain": found.gain[k, f, g],
                    "gain_se": found.gain_se[k, f, g],
                    "msa_clear": found.clear[k, f, g],
                    "n_pairs": found.n_pairs[k, f, g],
                    "n_clear": found.n_clear[f],
                }
                plain = {key: float(value) for key, value in numbers.items()}
                yield place | about | {"goal": goal, "measure": measure, "m": m} | plain
