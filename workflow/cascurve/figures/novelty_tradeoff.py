"""Accuracy against novelty: each model one point, and the Pareto front of those that none beats in both."""

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.curves.cells import cells
from cascurve.curves.tradeoff import LOWER, Tradeoff, tradeoff, with_score
from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.markers import draw_points
from cascurve.figures.novelty_panel import axis_label, columns, shown_groups
from cascurve.figures.panel import order, study_looks
from cascurve.figures.style import SETTINGS, Y_LABELS, new_figure

TITLE = "Accuracy against novelty, with the Pareto front"
NEEDS = ("novelty",)
_SEED = 1  # of the resamples; a figure has no other draw


def draw(
    points: pa.Table, fits: pa.Table, novelty: pa.Table, *, metrics: tuple[str, ...] = (), x: str = "apce"
) -> Figure:
    """One panel per group and metric: cells faint, means of the models with their intervals, the front as steps.

    Parameters
    ----------
    novelty : kind "novelty_points".
    metrics : columns such as ``long_tail@10``; by default the first three metrics at their greatest cutoff.
    x : a difficulty column of the points; it is not shown.
    """
    shown = list(_shown(novelty, metrics, x))
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, (column, found) in zip(all_axes, shown, strict=True):
        scored, other = cells(novelty, found.group, x), cells(with_score(novelty, column), found.group, x)
        with mpl.rc_context(SETTINGS):
            for model in order(found.models):
                i, style = found.models.index(model), look[model]
                draw_points(axes, scored.smap[:, i], other.smap[:, i], colour=style.colour, marker=style.marker, area=5)
                reach = [
                    [[abs(values[i] - end[i])] for end in band]
                    for values, band in ((found.accuracy, found.accuracy_band), (found.quality, found.quality_band))
                ]
                axes.errorbar(
                    found.accuracy[i], found.quality[i], xerr=reach[0], yerr=reach[1], color=style.colour,
                    marker=style.marker, markersize=5.0, linestyle="none", elinewidth=0.8, label=model,
                    zorder=4 if found.front[i] else 3,
                )  # fmt: skip
            axes.step(*_steps(found), where="pre", color="#444444", linewidth=0.8, linestyle=(0, (3, 2)), zorder=2)
            axes.set(xlabel=f"mean {Y_LABELS['smap']}", ylabel=axis_label(column))
            if column.partition("@")[0] in LOWER:
                axes.invert_yaxis()
            axes.set_title(found.group, loc="left", fontweight="bold")
    key_below(figure)
    return figure


def alt_text(
    points: pa.Table, fits: pa.Table, novelty: pa.Table, *, metrics: tuple[str, ...] = (), x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    parts = []
    for column, found in _shown(novelty, metrics, x):
        values = [
            f"{model} SMAP {found.accuracy[found.models.index(model)]:.3g}, "
            f"{column} {found.quality[found.models.index(model)]:.3g}"
            for model in order(found.models)
        ]
        parts.append(f"{found.words(column)} Means over {found.n_cells} cells: {'; '.join(values)}.")
    return "Mean SMAP against novelty, one point per model. " + " ".join(parts)


def _shown(novelty: pa.Table, metrics: tuple[str, ...], x: str) -> Iterator[tuple[str, Tradeoff]]:
    any_found = False
    for group in shown_groups(novelty, x):
        for column in columns(novelty, metrics):
            found = tradeoff(novelty, group, column, x=x, seed=_SEED)
            if found is not None:
                any_found = True
                yield column, found
    if not any_found:
        raise CellError("no cell has a finite novelty for every model")


def _steps(found: Tradeoff) -> tuple[np.ndarray, np.ndarray]:
    """The front by accuracy: to the left of a model, its novelty is what can be had with as much accuracy."""
    chosen = np.flatnonzero(found.front)
    chosen = chosen[np.argsort(found.accuracy[chosen])]
    return found.accuracy[chosen], found.quality[chosen]
