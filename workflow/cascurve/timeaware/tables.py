"""The tables of TAIA as files, in the folders, names and columns of the published results."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cascurve.storage import write_text
from cascurve.timeaware.cells import WEIGHTINGS
from cascurve.timeaware.evaluation import Evaluation
from cascurve.timeaware.measures import METRICS
from cascurve.timeaware.series import weight_moments

COUNTS = ("predictions", "other_entities", "judged", "unjudged")


def write_tables(evaluation: Evaluation, folder: Path) -> None:
    """All tables of one judgment level below `folder`.

    ``overall_stats/`` and ``entity_stats/``: team, run, one column per slicing, best first by week; and
    ``aggregation_weights/``: entity or "all", lower bound, unjudged as, level, "weight", mean, standard deviation,
    slicing. Those three have no head line, as published. Ours besides: ``slices/``, every metric in every slice of
    every entity, and ``perf-over-time/``, the series behind the plots.
    """
    for metric in METRICS:
        for weighting in WEIGHTINGS:
            _write_stats(evaluation, metric, weighting, folder)
    _write_weights(evaluation, folder)
    _write_performance(evaluation, folder)
    for run in evaluation.runs:
        _write_slices(evaluation, run, folder)


def write_counts(counts: Mapping[tuple[str, str], Mapping[str, int]], path: Path) -> None:
    """What the lines of each run are: for entities that are not evaluated, judged, unjudged."""
    rows = [(team, run, *(found[name] for name in COUNTS)) for (team, run), found in counts.items()]
    _write(path, rows, head=("team", "run", *COUNTS))


def file_name(name: str) -> str:
    """A name as a part of a file's name."""
    return name.replace("/", "_")


def _write_stats(evaluation: Evaluation, metric: str, weighting: str, folder: Path) -> None:
    ending = f"{evaluation.level_name}_{weighting}.tsv"
    path = folder / "overall_stats" / f"{metric}_total_stats_{ending}"
    _write(path, _sorted(evaluation, evaluation.overall_table(metric, weighting)))
    by_run = evaluation.entity_table(metric, weighting)
    for number, entity in enumerate(evaluation.entities):
        values = {run: table[number] for run, table in by_run.items()}
        if not any(np.isnan(row).all() for row in values.values()):
            name = f"{metric}_entity_stats_{file_name(entity)}_{ending}"
            _write(folder / "entity_stats" / name, _sorted(evaluation, values))


def _sorted(
    evaluation: Evaluation, values: Mapping[tuple[str, str], Sequence[float] | NDArray[np.float64]]
) -> list[tuple[object, ...]]:
    """Rows (team, run, value …), best first by week, or by the last slicing where there is no week."""
    names = list(evaluation.cells)
    place = names.index("week") if "week" in names else len(names) - 1
    return [(*run, *map(float, row)) for run, row in sorted(values.items(), key=lambda item: -item[1][place])]


def _write_weights(evaluation: Evaluation, folder: Path) -> None:
    rows: list[tuple[object, ...]] = []
    for number, name in [(None, "all"), *enumerate(evaluation.entities)]:
        for slicing, cells in evaluation.cells.items():
            slices, mean, spread, _ = weight_moments(cells, number)
            for at, value, deviation in zip(cells.slicing.lows[slices], mean, spread, strict=True):
                numbers = (f"{value:.6f}", f"{deviation:.6f}")
                rows.append((name, f"{at:.6f}", "neg", evaluation.level, "weight", *numbers, slicing))
    _write(folder / "aggregation_weights" / f"_weights_over_time_{evaluation.level_name}.tsv", rows)


def _write_performance(evaluation: Evaluation, folder: Path) -> None:
    head = ("team", "run", "slices", "low", "metric", "weighting", "mean", "stdev", "entities")
    rows: list[tuple[object, ...]] = []
    for run, by_slicing in evaluation.runs.items():
        for slicing, measured in by_slicing.items():
            cells = evaluation.cells[slicing]
            for metric in METRICS:
                for weighting in WEIGHTINGS:
                    found = cells.over_time(measured.values[metric], weighting)
                    for place, mean, spread, count in zip(*(part.tolist() for part in found), strict=True):
                        low = float(cells.slicing.lows[place])
                        rows.append((*run, slicing, low, metric, weighting, mean, spread, count))
    _write(folder / "perf-over-time" / f"_perf_over_time_{evaluation.level_name}.tsv", rows, head=head)


def _write_slices(evaluation: Evaluation, run: tuple[str, str], folder: Path) -> None:
    head = ("entity", "low", "up", "numPos", "numPredictions", *METRICS)
    for slicing, measured in evaluation.runs[run].items():
        cells, step = evaluation.cells[slicing], evaluation.cells[slicing].slicing
        ups = cells.lows + cells.slicing.width
        bounds = zip(cells.lows.tolist(), ups.tolist(), strict=True)
        numbers = zip(cells.relevant.tolist(), measured.predictions.tolist(), strict=True)
        values = zip(*(measured.values[name].tolist() for name in METRICS), strict=True)
        rows: list[tuple[object, ...]] = [
            (evaluation.entities[entity], *at, *number, *value)
            for entity, at, number, value in zip(cells.entity.tolist(), bounds, numbers, values, strict=True)
        ]
        for entity, place, predicted in measured.idle:
            low = float(step.lows[place])
            rows.append((evaluation.entities[entity], low, low + step.width, 0, predicted, *[""] * len(METRICS)))
        name = f"{file_name(run[0])}_{file_name(run[1])}-eval-{slicing}.tsv"
        _write(folder / "slices" / name, rows, head=head)


def _write(path: Path, rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> None:
    lines = ["\t".join(head)] if head else []
    lines += ["\t".join(map(_text, row)) for row in rows]
    write_text("\n".join(lines) + "\n", path)


def _text(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)
