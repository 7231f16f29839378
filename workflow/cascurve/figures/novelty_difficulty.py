"""Novelty against difficulty, a curve of its own for each model, with simultaneous bands."""

from collections.abc import Iterator
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves.cells import Cells, cells
from cascurve.curves.resampling import network_weights
from cascurve.curves.tradeoff import with_score
from cascurve.curves.trend import FEWEST, Trend, trend
from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.novelty_panel import axis_label, columns, shown_groups
from cascurve.figures.panel import order, study_looks
from cascurve.figures.style import SETTINGS, X_LABELS, new_figure

TITLE = "Novelty against difficulty, with simultaneous 95 % bands"
NEEDS = ("novelty",)
_SEED, _RESAMPLES = 1, 2000


@dataclass(frozen=True)
class _Line:
    """One model's points with their standard errors, and the curve through them where there is one."""

    model: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    error: NDArray[np.float64]
    trend: Trend | None

    def words(self) -> str:
        if self.trend is None:
            first, last = np.argmin(self.x), np.argmax(self.x)
            return f"{self.model}: {self.y[first]:.3g} at {self.x[first]:.2f}, {self.y[last]:.3g} at {self.x[last]:.2f}"
        t = self.trend
        ends = [f"{t.y[i]:.3g} [{t.low[i]:.3g}, {t.high[i]:.3g}] at {t.x[i]:.2f}" for i in (0, -1)]
        return f"{self.model}: from {ends[0]} to {ends[1]}"


def draw(
    points: pa.Table, fits: pa.Table, novelty: pa.Table, *, metrics: tuple[str, ...] = (), x: str = "apce"
) -> Figure:
    """One panel per group and metric; without enough networks the points with their errors over the lists.

    Parameters
    ----------
    novelty : kind "novelty_points".
    metrics : columns such as ``long_tail@10``; by default the first three metrics at their greatest cutoff.
    x : difficulty column.
    """
    shown = list(_shown(novelty, metrics, x))
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, (group, column, lines) in zip(all_axes, shown, strict=True):
        with mpl.rc_context(SETTINGS):
            for line in lines:
                style = look[line.model]
                whiskers = 1.96 * np.nan_to_num(line.error)
                axes.errorbar(
                    line.x, line.y, yerr=whiskers, color=style.colour, marker=style.marker, markersize=2.5,
                    linestyle="none", elinewidth=0.5, label=line.model,
                )  # fmt: skip
                if line.trend is not None:
                    t = line.trend
                    axes.fill_between(t.x, t.low, t.high, color=style.colour, alpha=0.18, linewidth=0)
                    axes.plot(t.x, t.y, color=style.colour, linestyle=style.dash, zorder=3)
            axes.set(xlabel=X_LABELS.get(x, x), ylabel=axis_label(column))
            axes.set_title(group, loc="left", fontweight="bold")
    key_below(figure)
    return figure


def alt_text(
    points: pa.Table, fits: pa.Table, novelty: pa.Table, *, metrics: tuple[str, ...] = (), x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    parts = []
    for group, column, lines in _shown(novelty, metrics, x):
        bare = sum(line.trend is None for line in lines)
        note = f" {bare} models without a band: it takes {FEWEST} networks." if bare else ""
        parts.append(f"{group}, {column}: {'; '.join(line.words() for line in lines)}.{note}")
    return f"Novelty against {x}, quadratic curves with simultaneous bands. " + " ".join(parts)


def _shown(novelty: pa.Table, metrics: tuple[str, ...], x: str) -> Iterator[tuple[str, str, list[_Line]]]:
    any_found = False
    for group in shown_groups(novelty, x):
        for column in columns(novelty, metrics):
            lines = list(_lines(cells(with_score(novelty, column), group, x), column))
            if lines:
                any_found = True
                yield group, column, lines
    if not any_found:
        raise CellError("no cell has a finite novelty to draw")


def _lines(chosen: Cells, column: str) -> Iterator[_Line]:
    rng = seeding.generator(_SEED, "novelty_difficulty", group=chosen.group, column=column)
    weights = network_weights(len(chosen.networks), _RESAMPLES, rng)
    for model in order(chosen.models):
        values = chosen.smap[:, chosen.models.index(model)]
        known = np.isfinite(values) & np.isfinite(chosen.x)
        if known.any():
            x, y = chosen.x[known], values[known]
            error = (chosen.relative_error * chosen.map)[known, chosen.models.index(model)]
            yield _Line(model, x, y, error, trend(x, y, chosen.network[known], weights))
