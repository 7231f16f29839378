"""Stage: fit one model and rank all candidates for each test query."""

import importlib
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet, DataSets
from cascurve.empirical.subgraph import cell_network
from cascurve.graph import Graph
from cascurve.models.interface import Fitted, Spreading, rank, train
from cascurve.process import peak_mb
from cascurve.stages.cells import each_length
from cascurve.storage import parse_partition


def run(
    spec: dict[str, Any], datasets: DataSets, graph: Graph | None
) -> tuple[pa.Table, dict[int, str], list[dict[str, Any]]]:
    """Rankings, reasons of failed lengths, and the cost of each fit.

    Parameters
    ----------
    spec : keys seed, data, model, module, parameters, lengths; for a model that needs it ``spreading``, the mechanism
        and its parameters; ``per_source``, training cascades of each source that it may see; ``tuning``, keys grid,
        trials and valid of `cascurve.stages.tuning.tune`.
    datasets : at least the lengths of `spec`.

    Returns
    -------
    rankings : kind "rankings"; one row per (length, source): ``scores`` float32 over all users, NaN = no candidate. The
        sources are those of the test cascades, and of some for training, on which the fit itself is judged.
    failed : length -> reason.
    cost : of each fitted length ``seconds``, ``peak_mb`` (of the process so far), the ``parameters`` of the fit, and
        the ``trials`` by which they were chosen, the best first.
    """
    costs: list[dict[str, Any]] = []

    def fit(length: int) -> pa.Table:
        started = time.perf_counter()
        data = datasets.by_length[length].limited(spec.get("per_source"))
        network = cell_network(graph, datasets.cells.get(length, {}))
        fitted, parameters, trials = _fit(spec, length, data.train, network)
        table = _rankings(fitted, length, data)
        costs.append(
            {
                "length": length,
                "seconds": time.perf_counter() - started,
                "peak_mb": peak_mb(),
                "parameters": parameters,
                "trials": trials,
            }
        )
        return table

    lengths = [length for length in spec["lengths"] if length in datasets.by_length]
    tables, failed = each_length(lengths, fit)
    failed |= {length: datasets.failed[length] for length in spec["lengths"] if length in datasets.failed}
    schema = pa.schema([("length", pa.int32()), ("source", pa.int32()), ("scores", pa.large_list(pa.float32()))])
    return pa.concat_tables([schema.empty_table(), *tables.values()]), failed, costs


def _fit(
    spec: Mapping[str, Any], length: int, cascades: CascadeSet, graph: Graph | None
) -> tuple[Fitted, dict[str, Any], list[dict[str, Any]]]:
    """The fitted model, its parameters, and how they were chosen where the study tunes them."""
    model, place = plugins.load("models", spec["module"]).Model, {"model": spec["model"], "length": length}

    def fit(parameters: Mapping[str, Any], part: CascadeSet) -> Fitted:
        rng = seeding.generator(spec["seed"], "fit", data=spec["data"], **place)
        return train(model(**(spec["parameters"] | parameters)), part, graph=graph, rng=rng, spreading=_spreading(spec))

    if "tuning" not in spec:
        return fit({}, cascades), spec["parameters"], []
    # Loaded by name: a measure that judges trials must not rerun the fits of models that are not tuned.
    tune = importlib.import_module("cascurve.stages.tuning").tune
    rng = seeding.generator(spec["seed"], "tuning", data=spec["data"], length=length)  # one split for all models
    trials = tune(fit, cascades, **spec["tuning"], rng=rng)
    chosen = trials[0].parameters
    return fit(chosen, cascades), spec["parameters"] | chosen, [trial.record() for trial in trials]


def _spreading(spec: Mapping[str, Any]) -> Spreading | None:
    """How the cascades of `spec` came about, where it says so."""
    if "spreading" not in spec:
        return None
    rng = seeding.generator(spec["seed"], "environment", **parse_partition(spec["data"]))  # that of the cascades
    return Spreading(**spec["spreading"], environment_rng=rng)


def _rankings(fitted: Fitted, length: int, data: DataSet) -> pa.Table:
    sources = np.unique(np.concatenate([data.test.sources, data.train_sample.sources]))
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
