"""Evaluate the novelty of recommendations, RELISON-style: its files, its YAML of metrics, its table.

Each recommendation file (user, candidate, score between tabs; the order of the lines is the ranking) becomes one row,
each metric at each cutoff one column `Name@k`. Values that need test links or features are NaN, or an error, without
them. docs/novelty.md defines every metric.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cascurve.errors import DataError
from cascurve.formats.interning import Labels
from cascurve.novelty.features import Features
from cascurve.novelty.recommendations import Recommendations
from cascurve.novelty.relison_config import Wanted, read_metrics
from cascurve.novelty.relison_files import read_features, read_graph, read_links, read_recommendations
from cascurve.novelty.scoring import column, values
from cascurve.novelty.task import Task
from cascurve.storage import write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("--config", type=Path, required=True, help="YAML with `metrics:`, as RELISON's")
    parser.add_argument("--graph", type=Path, required=True, help="training graph: u, v[, weight[, type]]")
    parser.add_argument(
        "--recommendations", type=Path, nargs="+", required=True, metavar="FILE", help="files, or a folder of them"
    )
    parser.add_argument("--features", type=Path, help="user, feature[, value]")
    parser.add_argument("--weighted", action="store_true", help="use the features' values; RELISON's command does not")
    parser.add_argument("--test", type=Path, help="links that came true, for metrics that look at relevance")
    parser.add_argument("--undirected", action="store_true", help="every link of the graph counts both ways")
    parser.add_argument("-o", "--output", type=Path, help="write the table to this file too")


def run(arguments: argparse.Namespace) -> int:
    """Print the table; returns 0."""
    wanted, others = read_metrics(arguments.config)
    if others:
        print(f"cascurve: left out, no metrics of novelty: {', '.join(others)}", file=sys.stderr)
    files = _files(arguments.recommendations)
    users = Labels()
    graph = read_graph(arguments.graph, users, directed=not arguments.undirected)
    lists = {file: read_recommendations(file, users) for file in files}
    triplets = read_features(arguments.features, users) if arguments.features else None
    test = _test_links(arguments, users)
    features = None
    if triplets:
        owner, feature, weight = triplets
        features = Features.of(len(users), owner, feature, weight if arguments.weighted else None)
    rows = [
        _row(wanted, Task(graph, made, len(users), features, relevance=_relevance(made, test, len(users))))
        for made in lists.values()
    ]
    names = [f"{one.name}{column('', k)}" for one in wanted for k in one.cutoffs]
    lines = ["\t".join(["Variant", "Fraction", *names])]
    for place, (file, row) in enumerate(zip(files, rows, strict=True), start=1):
        lines.append("\t".join([file.name, _text(place / len(files)), *map(_text, row)]))
    text = "\n".join(lines) + "\n"
    if arguments.output:
        write_text(text, arguments.output)
    print(text, end="")
    return 0


def _text(value: float) -> str:
    """All digits; what is no finite number is written as in Java."""
    return {"inf": "Infinity", "nan": "NaN"}.get(repr(value), repr(value))


def _row(wanted: Sequence[Wanted], task: Task) -> list[float]:
    """The values of all metrics and cutoffs, in order."""
    found: list[float] = []
    for one in wanted:
        by_column = values(task, {one.name: {"use": one.module, **one.parameters}}, one.cutoffs)
        found += [value.value for value in by_column.values()]
    return found


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files, and those in the folders; by name within a folder."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
        if not inside:
            raise DataError("there is no file in this folder", file=path, remedy="name recommendation files")
        found += inside
    return found


def _test_links(arguments: argparse.Namespace, users: Labels) -> tuple[np.ndarray, np.ndarray] | None:
    if not arguments.test:
        return None
    tails, heads = read_links(arguments.test, users)
    if arguments.undirected:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    return tails, heads


def _relevance(lists: Recommendations, test: tuple[np.ndarray, np.ndarray] | None, n_users: int) -> np.ndarray | None:
    """1 for each recommended link that is a test link, else 0."""
    if test is None:
        return None
    links = lists.targets[lists.list_of].astype(np.int64) * n_users + lists.candidates
    return np.isin(links, test[0].astype(np.int64) * n_users + test[1]).astype(np.float64)
