"""Stage: every measure of every test cascade, from the rankings of the models."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSets
from cascurve.metrics import average_precision, chance, protocol
from cascurve.metrics.relevant_ranks import RelevantRanks, relevant_ranks
from cascurve.metrics.scoring import Measures, score_ranks
from cascurve.storage import parse_partition, read_table, run_of, values_of

VARIANTS = ("seen", "sourced")
"""Protocols besides the paper's, by the prefix of their columns (`metrics/protocol.py`)."""

COST = pa.schema(
    [
        ("model", pa.string()),
        ("length", pa.int32()),
        ("seconds", pa.float64()),
        ("peak_mb", pa.float64()),
        ("parameters", pa.string()),
        ("trials", pa.string()),
    ]
)

KEYS = pa.schema([("length", pa.int32()), ("cascade", pa.int32()), ("source", pa.int32())])


def every_model(
    spec: dict[str, Any], datasets: DataSets, files: Iterable[str]
) -> tuple[pa.Table, dict[str, dict[int, str]], pa.Table]:
    """Scores of all models of one set of cascades; rankings are read one file at a time.

    Parameters
    ----------
    spec : keys measures (name -> parameters) and lengths; ``per_source``, how many training cascades of each source
        a model has seen, by model, where that is not all.
    files : tables of kind "rankings"; a folder ``model=...`` names the model of each.

    Returns
    -------
    scores : kind "scores": ``model``, the columns that `run` gives, and ``train_map``, the MAP of the same fit on a
        sample of the training cascades (`DataSet.train_sample`), the same for all cascades of a length.
    failed : model -> length -> why it has no scores.
    cost : kind "cost": what each fit took, as the stage `rank` noted it; parameters and trials are JSON.
    """
    tables = [KEYS.insert(0, pa.field("model", pa.string())).empty_table()]
    failed: dict[str, dict[int, str]] = {}
    costs: list[dict[str, Any]] = []
    left: dict[str, list[int]] = {}  # chunks of a model may overlap: the first that holds a length counts
    for file in files:
        model = parse_partition(file)["model"]
        rankings, header = read_table(file, "rankings")
        wanted = left.setdefault(model, list(spec["lengths"]))
        scored = run(spec | {"lengths": wanted}, datasets, rankings)
        limit = spec.get("per_source", {}).get(model)
        seen = {length: data.limited(limit).train_sample for length, data in datasets.by_length.items()}
        scored = scored.append_column("train_map", pa.array(_train_maps(scored, seen, rankings)))
        left[model] = [length for length in wanted if length not in scored.column("length").to_numpy()]
        tables.append(scored.add_column(0, "model", pa.array([model] * len(scored), pa.string())))
        reasons = {int(length): reason for length, reason in header["failed"].items()}
        failed.setdefault(model, {}).update({key: reasons[key] for key in spec["lengths"] if key in reasons})
        for fit in header.get("cost", []):
            chosen = {key: json.dumps(fit[key]) for key in ("parameters", "trials")}
            costs.append({"model": model, **fit, **chosen})
    return pa.concat_tables(tables, promote_options="default"), failed, pa.Table.from_pylist(costs, COST)


def _train_maps(scored: pa.Table, seen: Mapping[int, CascadeSet], rankings: pa.Table) -> NDArray[np.float64]:
    """MAP on training cascades, for each row of the scores; NaN where the rankings lack some of their sources."""
    lengths = scored.column("length").to_numpy()
    maps = np.full(len(lengths), np.nan)
    for length in np.unique(lengths):
        sample = seen[int(length)]
        sources, scores = _of_length(int(length), sample.n_users, rankings)
        if np.isin(sample.sources, sources).all():
            ranks = relevant_ranks(scores, sample, np.searchsorted(sources, sample.sources))
            maps[lengths == length] = np.nanmean(average_precision.score(ranks))
    return maps


def run(spec: dict[str, Any], datasets: DataSets, rankings: pa.Table, variant: str | None = None) -> pa.Table:
    """One row per test cascade, of one model.

    Parameters
    ----------
    spec : keys measures (name -> parameters) and lengths.
    rankings : kind "rankings", as made by the stage `rank`.
    variant : as in `places`; it stands before the names of the columns.

    Returns
    -------
    kind "scores": ``length``, ``cascade`` (index in the test set), ``source``, a column per measure, and beside it
    ``chance:<measure>``, its exact chance level, where it has one. That of ``ap`` is left to the points.
    """
    tables = [KEYS.empty_table()]
    for length, ranks in places(spec["lengths"], datasets, rankings, variant):
        columns = score_ranks(ranks, spec["measures"])
        columns |= _chance_levels(ranks, spec["measures"])
        columns = protocol.named(variant, columns) if variant else columns
        keys = {
            "length": np.full(len(ranks), length, np.int32),
            "cascade": np.arange(len(ranks), dtype=np.int32),
            "source": datasets.by_length[length].test.sources,
        }
        tables.append(pa.table(keys | columns))
    return pa.concat_tables(tables, promote_options="default")


def _chance_levels(ranks: RelevantRanks, measures: Measures) -> dict[str, NDArray[np.float64]]:
    floors = score_ranks(chance.random_ranking(ranks), measures)
    return {f"chance:{name}": floor for name, floor in floors.items() if name != "ap" and not np.isnan(floor).all()}


def places(
    lengths: Iterable[int], datasets: DataSets, rankings: pa.Table, variant: str | None = None
) -> Iterator[tuple[int, RelevantRanks]]:
    """Each of the lengths that are ranked, and where the recipients of its test cascades stand.

    `variant` is one of `VARIANTS`, or None for the paper's protocol.
    """
    ranked = set(rankings.column("length").to_numpy().tolist())
    for length in filter(ranked.__contains__, lengths):
        test = datasets.by_length[length].test
        sources, scores = _of_length(length, test.n_users, rankings)
        if variant == "seen":
            scores = protocol.restrict(scores, protocol.seen(datasets.by_length[length].train))
        elif variant == "sourced":
            scores = protocol.count_source(scores, sources)
        queries = np.searchsorted(sources, test.sources)
        yield length, relevant_ranks(scores, test, queries, known=0 if variant == "sourced" else 1)


def _of_length(length: int, n_users: int, rankings: pa.Table) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The sources that are ranked for, ascending, and the scores of all users for each."""
    rows = run_of(rankings.column("length").to_numpy() == length, rankings)
    scores = values_of(rows.column("scores").combine_chunks())
    return rows.column("source").to_numpy(), scores.reshape(len(rows), n_users)
