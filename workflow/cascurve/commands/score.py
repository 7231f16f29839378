"""Score a ranking against the truth; both may come from any program, as TREC run and qrels, CSV or Parquet.

Prints one line per measure: mean over the queries, standard error, and what a random ranking of the same
candidates would score. Our own Parquet files (rankings and data sets of a study) are understood too.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import yaml

from cascurve import plugins
from cascurve.dataset import DataSets
from cascurve.errors import ConfigError
from cascurve.metrics.chance import random_ranking
from cascurve.metrics.foreign import places, read_run, read_truth
from cascurve.metrics.scoring import Measures, score_ranks
from cascurve.metrics.summary import mean_with_error
from cascurve.stages import score as stage
from cascurve.storage import read_table, write_table

DEFAULT = ("average_precision", "ndcg:k=10", "recall:k=10", "reciprocal_rank")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("ranking", type=Path, metavar="RANKING", help="TREC run, CSV or Parquet: query, item, score")
    parser.add_argument(
        "truth", type=Path, metavar="TRUTH", help="TREC qrels, CSV or Parquet: query, item[, relevance]"
    )
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="NAME[:KEY=VALUE,...]",
        help=f"a measure, such as precision:k=10; may be repeated (default: {' '.join(DEFAULT)}); "
        f"there are: {', '.join(plugins.names('metrics'))}",
    )
    parser.add_argument("-o", "--output", type=Path, help="write one row per query to this .parquet or .csv file")


def run(arguments: argparse.Namespace) -> int:
    """Print the means; returns 0."""
    measures = parse_measures(arguments.measure or DEFAULT)
    if arguments.output and arguments.output.suffix not in (".parquet", ".csv"):
        raise ConfigError("--output", str(arguments.output), "a file that ends in .parquet or .csv")
    own = _is_own_ranking(arguments.ranking)
    scores = score_study if own else score_files
    table, chance = scores(arguments.ranking, arguments.truth, measures)
    print_means(table, chance, clusters=table.column("source").to_numpy() if own else None)
    if arguments.output:
        _write(table, arguments.output)
    return 0


def parse_measures(texts: tuple[str, ...] | list[str]) -> dict[str, dict[str, Any]]:
    """``["precision:k=10"]`` -> ``{"precision:k=10": {"use": "precision", "k": 10}}``."""
    measures: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, _, rest = text.partition(":")
        parameters = {}
        for part in filter(None, rest.split(",")):
            key, equals, value = part.partition("=")
            if not equals:
                raise ConfigError("--measure", text, "NAME or NAME:KEY=VALUE,KEY=VALUE")
            parameters[key] = yaml.safe_load(value)
        plugins.require("metrics", name, where="--measure")
        plugins.check_parameters("metrics", name, parameters, "--measure")
        measures[text] = {"use": name, **parameters}
    return measures


def score_files(ranking: Path, truth: Path, measures: Measures) -> tuple[pa.Table, dict[str, float]]:
    """(one row per query of the truth, mean chance level per measure) from files of other programs."""
    ranked, relevant = read_run(ranking), read_truth(truth)
    unjudged = len(ranked.keys() - relevant.keys())
    unranked = len(relevant.keys() - ranked.keys())
    if unjudged or unranked:
        print(
            f"cascurve: {unjudged} queries have a ranking but no truth and are left out; "
            f"{unranked} have a truth but no ranking and count as not found",
            file=sys.stderr,
        )
    queries: list[str] = []
    parts: list[dict[str, Any]] = []
    floors: list[dict[str, Any]] = []
    for names, ranks in places(ranked, relevant):
        queries += names
        parts.append(score_ranks(ranks, measures))
        floors.append(score_ranks(random_ranking(ranks), measures))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
    chance = {name: _mean(np.concatenate([floor[name] for floor in floors])) for name in columns}
    return pa.table({"query": pa.array(queries, pa.string())} | columns), chance


def score_study(ranking: Path, truth: Path, measures: Measures) -> tuple[pa.Table, dict[str, float]]:
    """As `score_files`, from a study's rankings and data sets; one row per test cascade."""
    rankings, _ = read_table(ranking, "rankings")
    lengths = sorted(set(rankings.column("length").to_pylist()))
    datasets = DataSets.read(truth)
    return stage.run({"measures": measures, "lengths": lengths}, datasets, rankings), {}


def print_means(table: pa.Table, chance: dict[str, float], clusters: np.ndarray[Any, Any] | None = None) -> None:
    """One line per measure; queries without a value are not counted."""
    names = [name for name in table.column_names if name not in ("query", "length", "cascade", "source")]
    width = max(map(len, [*names, "measure"]))
    print(f"{'measure':<{width}} {'mean':>9} {'s.e.':>9} {'chance':>9} {'queries':>8}")
    for name in names:
        values = table.column(name).to_numpy()
        mean, error = mean_with_error(values, clusters)
        shown = " ".join(_cell(number) for number in (mean, error, chance.get(name, np.nan)))
        print(f"{name:<{width}} {shown} {np.count_nonzero(~np.isnan(values)):>8}")


def _cell(number: float) -> str:
    return f"{'-':>9}" if np.isnan(number) else f"{number:9.5f}"


def _mean(values: np.ndarray[Any, Any]) -> float:
    return mean_with_error(values)[0]


def _is_own_ranking(path: Path) -> bool:
    return path.suffix == ".parquet" and path.is_file() and b"cascurve" in (pq.read_schema(path).metadata or {})


def _write(table: pa.Table, path: Path) -> None:
    if path.suffix == ".csv":
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.csv.write_csv(table, path)
    else:
        write_table(table, path, "scores")
