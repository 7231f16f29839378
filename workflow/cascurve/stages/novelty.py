"""Stage: how novel the users are that the models rank first, from the kept rankings."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSets
from cascurve.empirical.subgraph import cell_network
from cascurve.graph import Graph
from cascurve.novelty import predictions
from cascurve.novelty.scoring import values
from cascurve.storage import parse_partition, read_table, run_of, values_of

KEYS = pa.schema([("model", pa.string()), ("length", pa.int32()), ("lists", pa.int64())])


def every_model(spec: dict[str, Any], datasets: DataSets, graph: Graph | None, files: Iterable[str]) -> pa.Table:
    """Novelty of all models of one set of cascades; rankings are read one file at a time.

    Parameters
    ----------
    spec : keys seed, data, lengths, measures (name -> parameters) and cutoffs.
    graph : the network that messages spread on.
    files : tables of kind "rankings"; a folder ``model=...`` names the model of each.

    Returns
    -------
    kind "novelty": a row per model and length that is ranked: ``model``, ``length``, ``lists`` (one per source of a
    test cascade), a column ``<metric>@<k>`` per metric and cutoff, and its standard error ``<metric>@<k>_se`` where
    it has one.
    """
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for file in files:
        model = parse_partition(file)["model"]
        rankings, _ = read_table(file, "rankings")
        ranked = rankings.column("length").to_numpy()
        for length in spec["lengths"]:
            chosen = run_of(ranked == length, rankings)
            if len(chosen) and (model, length) not in rows:  # chunks may overlap: the first that holds a length counts
                rows[model, length] = {"model": model, "length": length} | _of(spec, datasets, graph, length, chosen)
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    types = {field.name: field.type for field in KEYS}
    columns = {
        name: pa.array([row.get(name) for row in rows.values()], types.get(name, pa.float64()))
        for name in (*KEYS.names, *names)
    }
    return pa.table(columns)


def _of(spec: dict[str, Any], datasets: DataSets, graph: Graph | None, length: int, rankings: pa.Table) -> Any:
    """The row of one model and length."""
    data = datasets.by_length[length]
    sources = rankings.column("source").to_numpy()
    scores = values_of(rankings.column("scores").combine_chunks()).reshape(len(rankings), data.n_users)
    queries = CascadeSet(data.n_users, np.arange(len(sources) + 1), sources)
    rng = seeding.generator(spec["seed"], "novelty", data=spec["data"], length=length)
    lists = predictions.recommendations(scores, queries, max(spec["cutoffs"]), key=seeding.kernel_key(rng))
    relevance = predictions.relevance(lists, data.test)
    links = cell_network(graph, datasets.cells.get(length, {}))
    found = values(predictions.task(links, lists, data.train, relevance), spec["measures"], spec["cutoffs"])
    row: dict[str, Any] = {"lists": len(lists)}
    for name, value in found.items():
        row[name] = value.value
        if not np.isnan(value.error):
            row[f"{name}_se"] = value.error
    return row
