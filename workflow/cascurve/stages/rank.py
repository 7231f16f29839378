"""Stage: fit one model and rank all candidates for each test query."""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet, DataSets
from cascurve.empirical.subgraph import restrict_graph
from cascurve.graph import Graph
from cascurve.models.interface import Spreading, rank, train
from cascurve.process import peak_mb
from cascurve.stages.cells import each_length
from cascurve.storage import parse_partition


def run(spec: dict[str, Any], datasets: DataSets, graph: Graph | None) -> tuple[pa.Table, dict[int, str], pa.Table]:
    """Rankings, reasons of failed lengths, and the cost of each fit.

    Parameters
    ----------
    spec : keys seed, data, model, module, parameters, lengths; for a model that needs it ``spreading``, the mechanism
        and its parameters.
    datasets : at least the lengths of `spec`.

    Returns
    -------
    rankings : kind "rankings"; one row per (length, source): ``scores`` float32 over all users, NaN = no candidate.
    failed : length -> reason.
    cost : kind "cost"; one row per fitted length: ``seconds`` and ``peak_mb`` (of the process so far).
    """
    model = plugins.load("models", spec["module"]).Model(**spec["parameters"])
    costs: list[dict[str, float]] = []

    def fit(length: int) -> pa.Table:
        rng = seeding.generator(spec["seed"], "fit", data=spec["data"], model=spec["model"], length=length)
        started = time.perf_counter()
        network = _network(graph, datasets.cells.get(length, {}))
        table = _rankings(model, length, datasets.by_length[length], network, rng, _spreading(spec))
        seconds = time.perf_counter() - started
        costs.append({"length": length, "seconds": seconds, "peak_mb": peak_mb()})
        return table

    lengths = [length for length in spec["lengths"] if length in datasets.by_length]
    tables, failed = each_length(lengths, fit)
    failed |= {length: datasets.failed[length] for length in spec["lengths"] if length in datasets.failed}
    schema = pa.schema([("length", pa.int32()), ("source", pa.int32()), ("scores", pa.large_list(pa.float32()))])
    cost = pa.Table.from_pylist(
        costs, pa.schema([("length", pa.int32()), ("seconds", pa.float64()), ("peak_mb", pa.float64())])
    )
    return pa.concat_tables([schema.empty_table(), *tables.values()]), failed, cost


def _network(graph: Graph | None, cell: Mapping[str, Any]) -> Graph | None:
    """The network among the cell's users; None where no link is known."""
    if graph is None or not graph.n_links:
        return None
    return restrict_graph(graph, np.asarray(cell["users"])) if "users" in cell else graph


def _spreading(spec: Mapping[str, Any]) -> Spreading | None:
    """How the cascades of `spec` came about, where it says so."""
    if "spreading" not in spec:
        return None
    rng = seeding.generator(spec["seed"], "environment", **parse_partition(spec["data"]))  # that of the cascades
    return Spreading(**spec["spreading"], environment_rng=rng)


def _rankings(
    model: Any, length: int, data: DataSet, graph: Graph | None, rng: np.random.Generator, spreading: Spreading | None
) -> pa.Table:
    fitted = train(model, data.train, graph=graph, rng=rng, spreading=spreading)
    sources = np.unique(data.test.sources)
    queries = CascadeSet(data.n_users, np.arange(len(sources) + 1), sources)
    scores = rank(fitted, queries)
    offsets = pa.array(np.arange(len(sources) + 1, dtype=np.int64) * data.n_users)
    return pa.table(
        {
            "length": np.full(len(sources), length, np.int32),
            "source": sources,
            "scores": pa.LargeListArray.from_arrays(offsets, pa.array(scores.ravel())),
        }
    )
