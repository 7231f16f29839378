"""Stage: every measure of every test cascade, from the rankings of the models."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.dataset import DataSets
from cascurve.metrics.scoring import score_cascades
from cascurve.storage import parse_partition, read_table, run_of

KEYS = pa.schema([("length", pa.int32()), ("cascade", pa.int32()), ("source", pa.int32())])


def every_model(
    spec: dict[str, Any], datasets: DataSets, files: Iterable[str]
) -> tuple[pa.Table, dict[str, dict[int, str]]]:
    """Scores of all models of one set of cascades; rankings are read one file at a time.

    Parameters
    ----------
    spec : keys measures (name -> parameters) and lengths.
    files : tables of kind "rankings"; a folder ``model=...`` names the model of each.

    Returns
    -------
    scores : kind "scores": ``model``, and the columns that `run` gives.
    failed : model -> length -> why it has no scores.
    """
    tables = [KEYS.insert(0, pa.field("model", pa.string())).empty_table()]
    failed: dict[str, dict[int, str]] = {}
    left: dict[str, list[int]] = {}  # chunks of a model may overlap: the first that holds a length counts
    for file in files:
        model = parse_partition(file)["model"]
        rankings, header = read_table(file, "rankings")
        wanted = left.setdefault(model, list(spec["lengths"]))
        scored = run(spec | {"lengths": wanted}, datasets, rankings)
        left[model] = [length for length in wanted if length not in scored.column("length").to_numpy()]
        tables.append(scored.add_column(0, "model", pa.array([model] * len(scored), pa.string())))
        reasons = {int(length): reason for length, reason in header["failed"].items()}
        failed.setdefault(model, {}).update({key: reasons[key] for key in spec["lengths"] if key in reasons})
    return pa.concat_tables(tables, promote_options="default"), failed


def costs(files: Iterable[str]) -> pa.Table:
    """Kind "cost": what each fit took, by ``model`` and ``length``; `files` are those of the stage `rank`."""
    parts = [(parse_partition(file)["model"], read_table(file, "cost")[0]) for file in files]
    tables = [table.add_column(0, "model", pa.array([model] * len(table), pa.string())) for model, table in parts]
    return pa.concat_tables(tables, promote_options="default").replace_schema_metadata(None)


def run(spec: dict[str, Any], datasets: DataSets, rankings: pa.Table) -> pa.Table:
    """One row per test cascade, of one model.

    Parameters
    ----------
    spec : keys measures (name -> parameters) and lengths.
    rankings : kind "rankings", as made by the stage `rank`.

    Returns
    -------
    kind "scores": ``length``, ``cascade`` (index in the test set), ``source``, and a column per measure.
    """
    ranked = rankings.column("length").to_numpy()
    tables = [KEYS.empty_table()]
    for length in spec["lengths"]:
        rows = run_of(ranked == length, rankings)
        if not len(rows):
            continue
        test = datasets.by_length[length].test
        scores = rows.column("scores").combine_chunks().flatten().to_numpy().reshape(len(rows), test.n_users)
        queries = np.searchsorted(rows.column("source").to_numpy(), test.sources)
        columns = score_cascades(scores, test, queries, spec["measures"])
        keys = {
            "length": np.full(len(test), length, np.int32),
            "cascade": np.arange(len(test), dtype=np.int32),
            "source": test.sources,
        }
        tables.append(pa.table(keys | columns))
    return pa.concat_tables(tables, promote_options="default")
