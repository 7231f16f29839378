"""The plots of TAIA: performance and weights over time, two runs side by side, the robustness of metrics."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from cascurve.figures.markers import draw_points
from cascurve.figures.style import Look, drawn, looks, save
from cascurve.timeaware.cells import WEIGHTINGS
from cascurve.timeaware.evaluation import Evaluation
from cascurve.timeaware.measures import RATES, Definitions
from cascurve.timeaware.robustness import METRICS, PERTURBATIONS, TRUTHS, Robustness
from cascurve.timeaware.series import WINDOW, Series, performance, side_by_side, weights
from cascurve.timeaware.tables import file_name

Run = tuple[str, str]
PLOTTED = (*RATES, "numPosPredictions")
WIDTH, HEIGHT = 3.4, 2.3  # inches, of one panel
BACKGROUND = "#777777"


def write_plots(
    evaluation: Evaluation,
    folder: Path,
    *,
    entities: Sequence[str] = (),
    best: int = 2,
    metrics: Sequence[str] = PLOTTED,
    definitions: Definitions = "code",
) -> int:
    """All plots of one judgment level below `folder`, as PDF under the published names; returns their number.

    Parameters
    ----------
    entities : those for which runs are shown side by side; by default the two with most true documents.
    metrics : those that are plotted; the count of correct predictions is not shown side by side.
    best : how many runs are shown side by side, two by two; those with the best overall MAP.
    """
    written = 0
    for name, figure in _figures(evaluation, entities, best, metrics, definitions):
        save_pdf(figure, folder / name)
        written += 1
    return written


def save_pdf(figure: Figure, stem: Path) -> None:
    """Write ``stem.pdf``. Its text is drawn as shapes: a part of a TrueType font takes longer than the figure."""
    save(figure, stem, kinds=("pdf",), settings={"pdf.fonttype": 3})


def _figures(
    evaluation: Evaluation, entities: Sequence[str], best: int, metrics: Sequence[str], definitions: Definitions
) -> Iterable[tuple[str, Figure]]:
    level, teams = evaluation.level_name, dict.fromkeys(team for team, _ in evaluation.runs)
    for metric in metrics:
        ending = f"{metric}_teams_over_time_{level}"
        for weighting in WEIGHTINGS:
            whole = f"perf-over-time/overview_{ending}_{weighting}"
            yield whole, over_time(evaluation, list(evaluation.runs), list(evaluation.cells), metric, weighting)
        for slicing in evaluation.cells:
            for weighting in WEIGHTINGS:
                name = f"perf-over-time/overview_{slicing}_{ending}_{weighting}"
                yield name, over_time(evaluation, list(evaluation.runs), [slicing], metric, weighting)
            for team in teams:
                own = [run for run in evaluation.runs if run[0] == team]
                name = f"perf-over-time/{file_name(team)}_{slicing}_{ending}_UNIFORM"
                yield name, over_time(evaluation, own, [slicing], metric, "UNIFORM")
    for slicing in evaluation.cells:
        ending = f"weights__{slicing}_weights_teams_over_time_{level}_WEIGHTED"
        yield f"aggregation_weights/all_{ending}", weights_over_time(evaluation, slicing, None)
        for number in np.unique(evaluation.cells[slicing].entity).tolist():
            name = f"aggregation_weights/{file_name(evaluation.entities[number])}__{ending}"
            yield name, weights_over_time(evaluation, slicing, number)
    shown = [evaluation.entities.index(name) for name in entities] or _largest(evaluation)
    for one, two in combinations(_best(evaluation, best), 2):
        for metric in filter(RATES.__contains__, metrics):
            for number in shown:
                pair = "-vs-".join(file_name(f"{team}_{run}") for team, run in (one, two))
                name = f"sidebyside/{pair}_sidebyside_{metric}_{file_name(evaluation.entities[number])}"
                yield name, side_by_side_figure(evaluation, one, two, metric, number, definitions)


@drawn
def over_time(
    evaluation: Evaluation, runs: Sequence[Run], slicings: Sequence[str], metric: str, weighting: str
) -> Figure:
    """One panel per slicing, one line per run; the value over all of the time is a thin flat line behind it."""
    figure, panels = _panels(len(slicings), legend=True)
    look = _looks(evaluation)
    for axes, slicing in zip(panels, slicings, strict=True):
        for run in runs:
            style = look[run]
            if "all" in evaluation.cells and slicing != "all":
                flat = performance(evaluation, run, "all", metric, weighting)
                axes.plot(flat.x, flat.y, color=style.colour, linewidth=0.6, alpha=0.6)
            line = performance(evaluation, run, slicing, metric, weighting)
            axes.plot(line.x, line.y, label=" ".join(run), color=style.colour, linestyle=style.dash,
                      marker=style.marker, markersize=2.5, linewidth=0.9)  # fmt: skip
        axes.set(xlabel="days since the start", ylabel=metric)
        axes.set_title(f"{slicing}, {weighting}", loc="left")
    _legend(figure, panels[0])
    return figure


@drawn
def weights_over_time(evaluation: Evaluation, slicing: str, entity: int | None) -> Figure:
    """Burst-aware weights of an entity (None: mean over the entities) in its slices."""
    figure, (axes,) = _panels(1)
    line = weights(evaluation.cells[slicing], entity)
    axes.axhline(1.0, color=BACKGROUND, linewidth=0.6)
    axes.plot(line.x, line.y, color="#000000", marker="o", markersize=2.5, linewidth=0.9)
    axes.set(xlabel="days since the start", ylabel="weight")
    axes.set_title("all entities" if entity is None else evaluation.entities[entity], loc="left")
    return figure


@drawn
def side_by_side_figure(
    evaluation: Evaluation, one: Run, two: Run, metric: str, entity: int, definitions: Definitions = "code"
) -> Figure:
    """Two runs for one entity, per slice (day, or the shortest there is) and smoothed: uniform, then burst-aware."""
    slicing = shortest(evaluation)
    figure, panels = _panels(2, legend=True)
    look = _looks(evaluation)
    for axes, weighting in zip(panels, WEIGHTINGS, strict=True):
        for run in (one, two):
            found = side_by_side(evaluation, run, slicing, metric, entity, weighting, definitions)
            _scatter(axes, found, look[run], " ".join(run))
        axes.set(xlabel="days since the start", ylabel=metric)
        axes.set_title(f"{evaluation.entities[entity]}, {weighting}", loc="left")
    if panels[0].lines:
        panels[0].plot([], [], color=BACKGROUND, linewidth=0.9, label=f"lines: mean of {WINDOW} slices")
    _legend(figure, panels[0])
    return figure


_TRUTH_LOOKS = (
    ("#0072b2", "o"), ("#56b4e9", "s"), ("#009e73", "^"), ("#d55e00", "v"), ("#e69f00", "D"), ("#cc79a7", "P"),
)  # fmt: skip
"""Colour and marker of each of `TRUTHS`: balanced ones in blue and green, rare truth in red and yellow."""


@drawn
def robustness_figure(found: Sequence[Robustness]) -> Figure:
    """One panel per metric: mean score of each ground truth by perturbation, and the level to be recovered."""
    figure, panels = _panels(len(METRICS), columns=3, legend=True)
    names = [f"{true} true, {other} not" for true, other in TRUTHS]
    shift = 0.015 * (len(TRUTHS) - 1) / 2
    for axes, metric in zip(panels, METRICS, strict=True):
        for perturbation in PERTURBATIONS:
            cells = [item for item in found if item.perturbation == perturbation]
            first = perturbation == PERTURBATIONS[0]
            ends = [perturbation - shift - 0.01, perturbation + shift + 0.01]
            label = "1 - perturbation" if first else None
            axes.plot(ends, [1 - perturbation] * 2, color="#000000", linewidth=0.8, label=label)
            for item in cells:
                place = TRUTHS.index((item.true, item.other))
                colour, marker = _TRUTH_LOOKS[place]
                axes.plot(
                    perturbation - shift + 0.015 * place, item.mean[metric], linestyle="none", markersize=3.0,
                    color=colour, marker=marker, label=names[place] if first else None,
                )  # fmt: skip
        axes.set(xlabel="true documents exchanged", ylabel="mean score", ylim=(0, 1.02))
        axes.set_xticks(PERTURBATIONS, [f"{perturbation:.0%}" for perturbation in PERTURBATIONS])
        axes.set_title(metric, loc="left")
    _legend(figure, panels[0])
    return figure


def shortest(evaluation: Evaluation) -> str:
    """The slicing "day", or the one of the shortest slices."""
    names = evaluation.cells
    return "day" if "day" in names else min(names, key=lambda name: names[name].slicing.width)


def _scatter(axes: Any, found: Series, style: Look, label: str) -> None:
    draw_points(axes, found.x, found.y, colour=style.colour, marker=style.marker, area=8, label=label)
    smooth = found.smoothed()
    if smooth is not None:
        axes.plot(found.x, smooth, color=style.colour, linestyle=style.dash, linewidth=0.9)


def _largest(evaluation: Evaluation) -> list[int]:
    """The two entities with most true documents."""
    cells = next(iter(evaluation.cells.values()))
    total = np.bincount(cells.entity, cells.relevant, cells.n_entities)
    return [number for number in np.argsort(-total, kind="stable")[:2].tolist() if total[number] > 0]


def _best(evaluation: Evaluation, count: int) -> list[Run]:
    table = evaluation.overall_table("MAP", "UNIFORM")
    return sorted(table, key=lambda run: -table[run][-1])[:count]


def _looks(evaluation: Evaluation) -> dict[Run, Look]:
    by_name = looks(" ".join(run) for run in evaluation.runs)
    return {run: by_name[" ".join(run)] for run in evaluation.runs}


def _panels(count: int, *, columns: int = 3, legend: bool = False) -> tuple[Figure, list[Any]]:
    """Panels with fixed margins: finding the best ones would take longer than the drawing."""
    across = min(count, columns)
    down = -(-count // across)
    room = 1.6 if legend else 0.0  # inches to the right
    width, height = WIDTH * across + room, HEIGHT * down + 0.2
    figure = Figure(figsize=(width, height))
    panels = [figure.add_subplot(down, across, place + 1) for place in range(count)]
    margins = {"left": 0.5 / width, "right": 1 - (room + 0.1) / width, "bottom": 0.4 / height}
    figure.subplots_adjust(**margins, top=1 - 0.35 / height, wspace=0.25, hspace=0.45)
    return figure, panels


def _legend(figure: Figure, axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="center left", bbox_to_anchor=(1 - 1.6 / figure.get_figwidth(), 0.5))
