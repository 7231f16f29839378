"""Evaluate runs of a stream-filtering task over time, as TAIA does (Dietz, Dalton & Balog 2013) for TREC KBA.

Reads run files (`team run document entity confidence relevance mention`) and judgments (`source assessor document
entity confidence label mention`), plain or .gz; a document is named `<seconds since 1970>-<anything>`. Writes the
published tables and plots, below a folder per judgment level, and prints the overall MAP. docs/timeaware.md says what
each number is.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cascurve.errors import ConfigError, DataError
from cascurve.timeaware.cells import WEIGHTINGS
from cascurve.timeaware.evaluation import Evaluation, evaluate
from cascurve.timeaware.judgments import Judgments, read_judgments
from cascurve.timeaware.measures import RATES
from cascurve.timeaware.slices import KBA_END, KBA_START, slicing
from cascurve.timeaware.tables import write_counts, write_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run files, or folders of them")
    parser.add_argument("--judgments", type=Path, nargs="+", required=True, help="judgment files")
    parser.add_argument("--out", type=Path, required=True, help="folder for tables and plots")
    parser.add_argument("--entities", type=Path, help="file with one entity a line (default: all that are judged)")
    parser.add_argument(
        "--slices",
        nargs="+",
        default=["all", "week", "day"],
        help="all, minute, hour, day, week, month, or widths such as 36h or 30min (default: all week day)",
    )
    parser.add_argument("--start", type=float, default=KBA_START, help=f"seconds (default: {KBA_START:.0f})")
    parser.add_argument("--end", type=float, default=KBA_END, help=f"seconds (default: {KBA_END:.0f})")
    parser.add_argument(
        "--levels",
        type=int,
        nargs="+",
        default=[1, 2],
        help="smallest label of a true document: 1 relevant and central, 2 central (default: both)",
    )
    parser.add_argument(
        "--definitions",
        choices=("code", "text"),
        default="code",
        help="where TAIA's text and its released code differ, follow this one (default: code)",
    )
    parser.add_argument("--no-plots", dest="plots", action="store_false", help="tables only")
    parser.add_argument(
        "--plot-metrics",
        nargs="+",
        choices=(*RATES, "numPosPredictions"),
        default=[*RATES, "numPosPredictions"],
        metavar="METRIC",
        help="metrics to plot (default: all)",
    )
    parser.add_argument("--sidebyside", type=int, default=2, metavar="K", help="plot the K best runs two by two")
    parser.add_argument("--sidebyside-entities", nargs="+", default=[], metavar="ENTITY", help="for these entities")


def run(arguments: argparse.Namespace) -> int:
    """Write everything; returns 0."""
    if not arguments.end > arguments.start:
        raise ConfigError("--end", arguments.end, f"seconds after --start, {arguments.start:g}")
    slicings = [slicing(name, arguments.start, arguments.end, "--slices") for name in arguments.slices]
    _check_once("--slices", arguments.slices)
    _check_levels(arguments.levels)
    judgments = read_judgments(
        arguments.judgments, start=arguments.start, end=arguments.end, entities=_names(arguments.entities)
    )
    _check_entities(arguments.sidebyside_entities, judgments)
    _say_what_is_missing(judgments, arguments.levels)
    runs = _run_files(arguments.runs)
    evaluations, counts = evaluate(runs, judgments, slicings, arguments.levels, arguments.definitions)
    write_counts(counts, arguments.out / "predictions.tsv")
    for (team, name), found in counts.items():
        print(
            f"{team} {name}: {found['predictions']} predictions; {found['unjudged']} are of unjudged documents, "
            f"which count as wrong; {found['other_entities']} are for other entities and left out",
            file=sys.stderr,
        )
    for evaluation in evaluations:
        folder = arguments.out / evaluation.folder
        write_tables(evaluation, folder)
        if arguments.plots:
            _plot(evaluation, folder, arguments)
        _print_overall(evaluation)
    if arguments.plots:
        _plot_robustness(arguments.out)
    return 0


def _plot(evaluation: Evaluation, folder: Path, arguments: argparse.Namespace) -> None:
    from cascurve.figures.taia import write_plots

    written = write_plots(
        evaluation,
        folder,
        entities=arguments.sidebyside_entities,
        best=arguments.sidebyside,
        metrics=arguments.plot_metrics,
        definitions=arguments.definitions,
    )
    print(f"{written} plots in {folder}", file=sys.stderr)


def _plot_robustness(out: Path) -> None:
    from cascurve import seeding
    from cascurve.figures.taia import robustness_figure, save_pdf
    from cascurve.timeaware.robustness import experiment

    found = list(experiment(seeding.generator(0, "timeaware")))
    save_pdf(robustness_figure(found), out / "metric-comparison")


def _print_overall(evaluation: Evaluation) -> None:
    tables = [evaluation.overall_table("MAP", weighting) for weighting in WEIGHTINGS]
    names = [*evaluation.cells]
    heads = [f"{name} {weighting.lower()}" for weighting in WEIGHTINGS for name in names]
    width = max([len("run"), *(len(" ".join(run)) for run in evaluation.runs)])
    columns = [max(len(head), 7) for head in heads]
    count = len(evaluation.entities)
    print(f"MAP, {evaluation.level_name}, {count} entit{'y' if count == 1 else 'ies'}")
    print("  ".join([f"{'run':<{width}}", *(f"{head:>{wide}}" for head, wide in zip(heads, columns, strict=True))]))
    for run in evaluation.runs:
        values = [value for table in tables for value in table[run]]
        cells = [f"{value:>{wide}.4f}" for value, wide in zip(values, columns, strict=True)]
        print("  ".join([f"{' '.join(run):<{width}}", *cells]))


def _run_files(given: Sequence[Path]) -> list[Path]:
    """The files, and those in the folders that are named."""
    found: list[Path] = []
    for path in given:
        inside = sorted(p for p in path.glob("[!.]*") if p.is_file()) if path.is_dir() else [path]
        if not inside:
            raise DataError("there is no file in this folder", file=path, remedy="name run files")
        found += inside
    return found


def _names(path: Path | None) -> list[str] | None:
    if path is None:
        return None
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read ({error})", file=path) from None
    rows = [(row, line.strip()) for row, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    names = [name for _, name in rows]
    for place, (row, name) in enumerate(rows):
        if name in names[:place]:
            raise DataError(f"entity '{name}' stands here for the second time", file=path, line=row, remedy="delete it")
    if not names:
        raise DataError("expected one entity a line, found none", file=path)
    return names


def _check_once(key: str, values: Sequence[object]) -> None:
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ConfigError(key, value, "no value twice")


def _check_levels(levels: Sequence[int]) -> None:
    _check_once("--levels", levels)
    for level in levels:
        if level < 1:
            raise ConfigError("--levels", level, "whole numbers from 1 on")


def _say_what_is_missing(judgments: Judgments, levels: Sequence[int]) -> None:
    if judgments.left_out:
        print(
            f"{judgments.left_out} judgments are left out: without confidence, outside --start and --end, or of an "
            "entity that is not evaluated",
            file=sys.stderr,
        )
    for level in levels:
        if not len(judgments.true(level)):
            print(f"no judged document has a label of {level} or more: all values of that level are 0", file=sys.stderr)


def _check_entities(names: Sequence[str], judgments: Judgments) -> None:
    for name in names:
        if name not in judgments.entities:
            raise ConfigError("--sidebyside-entities", name, "an entity that is judged or listed in --entities")
