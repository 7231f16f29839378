"""Train a model on a study's data set and score it by the next-user protocol: every true prefix is a query.

DATA is a `cascades.parquet` of a study. The model is trained on its training cascades; for each prefix of a test
cascade it ranks all users outside the prefix, and the one who follows is the only recipient. Columns are named
``next:<measure>``; one row per cascade holds the mean over its steps. With ``--novelty``, a table of the novelty of
the users ranked first follows, the last user of each prefix being their target.
"""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.cascades import CascadeSet
from cascurve.commands._limits import at_least
from cascurve.commands.score import check_output, parse_measures, parse_plugin, print_means, write_scores
from cascurve.dataset import DataSets
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.metrics.levels import Levels
from cascurve.metrics.next_user import score_next_user
from cascurve.models.interface import rank, train
from cascurve.novelty.prefixes import Prefixes
from cascurve.novelty.scoring import values

DEFAULT = ("average_precision:k=10,denominator=min", "success:k=10", "reciprocal_rank")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    names = ", ".join(plugins.names("models"))
    parser.add_argument("model", metavar="MODEL[:KEY=VALUE,...]", help=f"a model; there are: {names}")
    parser.add_argument("data", type=Path, metavar="DATA", help="a study's cascades.parquet")
    parser.add_argument("--network", type=Path, help="the study's network.parquet, for models that use links")
    parser.add_argument("--seed", type=int, default=1, help="of the model's random numbers (default: 1)")
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="NAME[:KEY=VALUE,...]",
        help=f"a measure; may be repeated (default: {' '.join(DEFAULT)})",
    )
    parser.add_argument(
        "--novelty",
        action="append",
        metavar="NAME[:KEY=VALUE,...]",
        help=f"a metric of novelty; may be repeated; there are: {', '.join(plugins.names('novelty'))}",
    )
    parser.add_argument("--cutoffs", type=int, nargs="+", default=[1, 5, 10], help="ranks of --novelty (1 5 10)")
    parser.add_argument("--target", choices=["last", "source"], default="last", help="of --novelty (default: last)")
    parser.add_argument("-o", "--output", type=Path, help="write one row per cascade to this .parquet or .csv file")


def run(arguments: argparse.Namespace) -> int:
    """Print the means; returns 0."""
    at_least(arguments, seed=0)
    measures = parse_measures(arguments.measure or DEFAULT)
    novelty = parse_measures(arguments.novelty or (), "novelty", "--novelty")
    if min(arguments.cutoffs) < 1:
        raise ConfigError("--cutoffs", min(arguments.cutoffs), "whole numbers of ranks >= 1")
    name, parameters = parse_plugin(arguments.model, "models", "MODEL")
    check_output(arguments.output)
    graph = Graph.read(arguments.network) if arguments.network else None
    model = plugins.load("models", name).Model(**parameters)
    tables, floors, novel = [], [], {}
    for length, data in DataSets.read(arguments.data).by_length.items():
        rng = seeding.generator(arguments.seed, "next_user", model=arguments.model, length=length)
        fitted = train(model, data.train, graph=graph, rng=rng)
        ranked: Callable[[CascadeSet], Any] = partial(rank, fitted)
        lots = seeding.kernel_key(seeding.generator(arguments.seed, "novelty", length=length))
        prefixes = Prefixes(data.test, max(arguments.cutoffs), lots, arguments.target)
        columns = score_next_user(prefixes.watch(ranked) if novelty else ranked, data.test, measures)
        if novelty:
            novel[length] = values(prefixes.task(graph, data.train), novelty, sorted(arguments.cutoffs))
        floors.append(score_next_user(_all_alike, data.test, measures))
        keys = {
            "length": np.full(len(data.test), length, np.int32),
            "cascade": np.arange(len(data.test), dtype=np.int32),
            "source": data.test.sources,
        }
        tables.append(pa.table(keys | columns))
    table = pa.concat_tables(tables)
    found = {column: _levels(np.concatenate([floor[column] for floor in floors])) for column in floors[0]}
    print_means(table, found, clusters=table.column("source").to_numpy())
    for length, found_novelty in novel.items():
        print(f"\nnovelty of the users ranked first, length {length}, target: {arguments.target} user")
        for name, value in found_novelty.items():
            print(f"{name:<32} {value.value:10.5f}")
    if arguments.output:
        write_scores(table, arguments.output, measures, prefix="next:")
    return 0


def _all_alike(prefixes: CascadeSet) -> np.ndarray:
    """One tie of all candidates: its scores are the chance level."""
    scores = np.zeros((len(prefixes), prefixes.n_users), np.float32)
    scores[np.repeat(np.arange(len(prefixes)), prefixes.lengths), prefixes.users] = np.nan
    return scores


def _levels(floor: np.ndarray) -> Levels:
    return Levels(floor, np.zeros(len(floor)), np.full(len(floor), np.nan), 1.0)
