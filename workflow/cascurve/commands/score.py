"""Score a ranking against the truth; both may come from any program, as TREC run and qrels, CSV or Parquet.

Prints one line per measure: mean over the queries and its standard error; what a random ranking of the same
candidates would score (exact, or with the standard error of a Monte Carlo); what a perfect one would score; and the
mean corrected for chance, (mean - chance)/(best - chance), and normalised, (mean - chance)/(ceiling - chance).
Files may be compressed (.gz). Our own Parquet files (rankings and data sets of a study) are understood too.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import yaml

from cascurve import plugins
from cascurve.dataset import DataSets
from cascurve.errors import ConfigError, DataError
from cascurve.metrics.foreign import places, read_run, read_truth
from cascurve.metrics.levels import Levels, levels
from cascurve.metrics.scoring import Measures, conventions, score_ranks
from cascurve.metrics.summary import mean_with_error
from cascurve.stages import score as stage
from cascurve.storage import read_table, write_table

TITLES = ("mean", "s.e.", "chance", "its s.e.", "ceiling", "corrected", "normalised", "queries")
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
    parser.add_argument(
        "--protocol",
        choices=stage.VARIANTS,
        help="for a study's files: other candidates and recipients than the paper's; see docs/metrics.md",
    )
    parser.add_argument("-o", "--output", type=Path, help="write one row per query to this .parquet or .csv file")


def run(arguments: argparse.Namespace) -> int:
    """Print the means; returns 0."""
    measures = parse_measures(arguments.measure or DEFAULT)
    check_output(arguments.output)
    own = _is_own_ranking(arguments.ranking)
    variant = arguments.protocol
    if variant and not own:
        raise ConfigError("--protocol", variant, "none, for files of other programs: the files say what is ranked")
    if own:
        table, found = score_study(arguments.ranking, arguments.truth, measures, variant)
    else:
        table, found = score_files(arguments.ranking, arguments.truth, measures)
    print_means(table, found, clusters=table.column("source").to_numpy() if own else None)
    if arguments.output:
        write_scores(table, arguments.output, measures, prefix=f"{variant}:" if variant else "")
    return 0


def check_output(path: Path | None) -> None:
    """Refuse, before anything is computed, an output that could not be written."""
    if path and path.suffix not in (".parquet", ".csv"):
        raise ConfigError("--output", str(path), "a file that ends in .parquet or .csv")


def parse_measures(
    texts: tuple[str, ...] | list[str], folder: str = "metrics", where: str = "--measure"
) -> dict[str, dict[str, Any]]:
    """``["precision:k=10"]`` -> ``{"precision:k=10": {"use": "precision", "k": 10}}``."""
    measures: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, parameters = parse_plugin(text, folder, where)
        measures[text] = {"use": name, **parameters}
    return measures


def parse_plugin(text: str, folder: str, where: str) -> tuple[str, dict[str, Any]]:
    """``"precision:k=10"`` -> ``("precision", {"k": 10})``, checked."""
    name, _, rest = text.partition(":")
    parameters = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(where, text, "NAME or NAME:KEY=VALUE,KEY=VALUE")
        parameters[key] = yaml.safe_load(value)
    plugins.require(folder, name, where=where)
    plugins.check_parameters(folder, name, parameters, where)
    return name, parameters


def score_files(ranking: Path, truth: Path, measures: Measures) -> tuple[pa.Table, dict[str, Levels]]:
    """(one row per query of the truth, levels per measure) from files of other programs."""
    ranked, relevant = read_run(ranking), read_truth(truth)
    if not relevant:
        raise DataError("expected at least one judged item, found none", file=truth)
    if not ranked:
        raise DataError("expected at least one ranked item, found none", file=ranking)
    if not ranked.keys() & relevant.keys():
        found_in = f"expected a ranking of a query of {truth}, found {len(ranked)} other queries"
        raise DataError(found_in, file=ranking, remedy="name a ranking and the truth of the same queries")
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
    found: list[dict[str, Levels]] = []
    for names, ranks in places(ranked, relevant):
        queries += names
        parts.append(score_ranks(ranks, measures))
        found.append(levels(ranks, measures))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
    return pa.table({"query": pa.array(queries, pa.string())} | columns), _joined(found)


def score_study(
    ranking: Path, truth: Path, measures: Measures, variant: str | None = None
) -> tuple[pa.Table, dict[str, Levels]]:
    """As `score_files`, from a study's rankings and data sets; one row per test cascade."""
    rankings, _ = read_table(ranking, "rankings")
    lengths = sorted(set(rankings.column("length").to_pylist()))
    if not lengths:
        raise DataError("expected at least one ranking, found none", file=ranking, remedy="its log says why")
    datasets = DataSets.read(truth)
    missing = [length for length in lengths if length not in datasets.by_length]
    if missing:
        raise DataError(
            f"expected a data set of each length that is ranked in {ranking}, found none of length {missing[0]}",
            file=truth,
            remedy="name the cascades.parquet that the ranking was made from",
        )
    found = _joined([levels(ranks, measures) for _, ranks in stage.places(lengths, datasets, rankings, variant)])
    table = stage.run({"measures": measures, "lengths": lengths}, datasets, rankings, variant)
    return table, {f"{variant}:{name}" if variant else name: between for name, between in found.items()}


def print_means(table: pa.Table, found: Mapping[str, Levels], clusters: np.ndarray[Any, Any] | None = None) -> None:
    """One line per measure; queries without a value are not counted."""
    names = [name for name in table.column_names if name in found]
    width = max(map(len, [*names, "measure"]))
    print(f"{'measure':<{width}} " + " ".join(f"{title:>10}" for title in TITLES))
    for name in names:
        values = table.column(name).to_numpy()
        mean, error = mean_with_error(values, clusters)
        between = found[name].summary(values)
        exact = "exact" if between["chance_error"] == 0 else _cell(between["chance_error"])
        rest = [_cell(between[key]) for key in ("ceiling", "corrected", "normalised")]
        cells = [_cell(mean), _cell(error), _cell(between["chance"]), exact, *rest, str(np.sum(~np.isnan(values)))]
        print(f"{name:<{width}} " + " ".join(f"{cell:>10}" for cell in cells))


def _cell(number: float) -> str:
    return "-" if np.isnan(number) else f"{number:.5f}"


def _joined(parts: list[dict[str, Levels]]) -> dict[str, Levels]:
    return {name: Levels.join(part[name] for part in parts) for name in parts[0]} if parts else {}


def _is_own_ranking(path: Path) -> bool:
    if path.suffix != ".parquet" or not path.is_file():
        return False
    try:
        return b"cascurve" in (pq.read_schema(path).metadata or {})
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"not a readable Parquet file ({error})", file=path) from None


def write_scores(table: pa.Table, path: Path, measures: Measures, prefix: str = "") -> None:
    """Write per-query scores; a Parquet file states the convention behind each column in its metadata."""
    if path.suffix == ".csv":
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.csv.write_csv(table, path)
    else:
        stated = {f"{prefix}{name}": convention for name, convention in conventions(measures).items()}
        write_table(table, path, "scores", conventions=stated)
