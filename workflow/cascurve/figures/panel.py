"""What several figures share: points and fitted curves of a group in one panel, and the words about them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve.curves.cells import CONTROLS, Cells, cells, groups, is_synthetic
from cascurve.curves.fitting import Fit
from cascurve.errors import CellError
from cascurve.figures.end_labels import End, label_ends
from cascurve.figures.keys import CHANCE, key_below
from cascurve.figures.markers import draw_points
from cascurve.figures.style import SETTINGS, X_LABELS, Y_LABELS, Look, looks, new_figure


@dataclass(frozen=True)
class Curve:
    """One model's points (x, y) in a group, and the curve fitted to them, if the fits table has it."""

    model: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    fit: Fit | None

    @property
    def drawn(self) -> bool:
        """Whether there is an identified curve to draw."""
        return self.fit is not None and self.fit.status == "ok"

    def words(self) -> str:
        """The fit in words."""
        if self.fit is None or self.fit.status != "ok":
            return f"{self.model}: no curve ({'not fitted' if self.fit is None else self.fit.status})"
        ends = self.fit([self.fit.x_min, self.fit.x_max])
        return (
            f"{self.model}: from {ends[0]:.3g} at {self.fit.x_min:.2f} to {ends[1]:.3g} at {self.fit.x_max:.2f}, "
            f"R² {self.fit.r2:.2f}"
        )


def curve(chosen: Cells, fits: pa.Table, model: str, x: str, y: str) -> Curve:
    """A model's points and fit in a group."""
    found = [
        row
        for row in fits.to_pylist()
        if (row["group"], row["model"], row["x"], row["y"]) == (chosen.group, model, x, y)
    ]
    return Curve(model, *chosen.scores(model, y), Fit.from_row(found[0]) if found else None)


def panels(points: pa.Table, x: str, *, synthetic: bool | None = None) -> list[Cells]:
    """The groups with any result, in the order of the points; simulated ones, real ones, or all (None).

    Raises `CellError` when there is none.
    """
    what = {True: "simulated", False: "real", None: "simulated or real"}[synthetic]
    if x not in points.column_names:
        raise CellError(f"the points have no difficulty column '{x}' to draw")
    found = [cells(points, g, x) for g in groups(points) if synthetic in (None, is_synthetic(points, g))]
    found = [chosen for chosen in found if np.isfinite(chosen.smap).any()]
    if not found:
        raise CellError(f"no results on {what} data to draw")
    return found


def one_model(points: pa.Table, model: str, group: str, mechanism: str, x: str) -> tuple[str, Cells]:
    """A model and its cells on one simulated group and mechanism.

    "" stands for CDK or else the study's first model, for the first simulated group, for the first mechanism.
    Raises `CellError` naming what is missing.
    """
    simulated = [name for name in groups(points) if is_synthetic(points, name)]
    if not simulated or (group and group not in simulated):
        raise CellError(f"no points on simulated {group or 'networks'} to draw")
    rows = points.filter(pc.field("group") == (group or simulated[0]))
    mechanisms = [name for name in dict.fromkeys(rows.column("mechanism").to_pylist()) if name]
    if mechanism and mechanism not in mechanisms:
        raise CellError(f"no points of mechanism '{mechanism}' to draw")
    rows = rows.filter(pc.field("mechanism") == (mechanism or mechanisms[0]))
    models = order(dict.fromkeys(rows.column("model").to_pylist()))
    name = model or ("cdk" if "cdk" in models else models[0])
    rows = rows.filter(pc.field("model") == name)
    if len(rows) == 0:
        raise CellError(f"no points of model '{name}' to draw")
    return name, panels(rows, x)[0]


def draw_curves(axes: Any, curves: Iterable[Curve], look: Mapping[str, Look]) -> None:
    """Points and fitted curves of several models, with their entries for `key_below`."""
    with mpl.rc_context(SETTINGS):
        for item in curves:
            style = look[item.model]
            draw_points(axes, item.x, item.y, colour=style.colour, marker=style.marker)
            if item.drawn and item.fit is not None:
                grid = np.linspace(item.fit.x_min, item.fit.x_max, 200)
                axes.plot(grid, item.fit(grid), color=style.colour, linestyle=style.dash, zorder=3)
            axes.plot(
                [], [], color=style.colour, marker=style.marker, markersize=3.5, linestyle=style.dash, label=item.model
            )


def draw_chance(axes: Any, chosen: Cells) -> None:
    """The exact chance SMAP of each cell, as short dashes."""
    known = np.isfinite(chosen.x) & np.isfinite(chosen.chance)
    axes.scatter(
        chosen.x[known], chosen.chance[known], s=22, color="#777777", marker="_", linewidths=0.8, zorder=1, label=CHANCE
    )


def name_curves(axes: Any, curves: Iterable[Curve], look: Mapping[str, Look]) -> None:
    """Each model's name and R² at the end of its curve, or at its last point."""
    ends = []
    for item in curves:
        if item.drawn and item.fit is not None:
            place = item.fit.x_max, float(item.fit([item.fit.x_max])[0])
            words = f"{item.model}, R² {item.fit.r2:.2f}"
        else:
            last = int(np.argmax(item.x))
            place, words = (float(item.x[last]), float(item.y[last])), f"{item.model}, no curve"
        ends.append(End(*place, words, look[item.model].colour))
    label_ends(axes, ends)


def label(axes: Any, x: str, y: str, title: str = "", scale: str = "linear") -> None:
    """Axis labels, title, and a y axis from 0 on a linear scale."""
    with mpl.rc_context(SETTINGS):
        axes.set(xlabel=X_LABELS.get(x, x), ylabel=Y_LABELS[y], yscale=scale)
        axes.set_title(title, loc="left", fontweight="bold")
        if scale == "linear":
            axes.set_ylim(bottom=0)


def order(models: Iterable[str]) -> list[str]:
    """Models as the study lists them, the controls last."""
    names = list(models)
    return [name for name in names if name not in CONTROLS] + [name for name in CONTROLS if name in names]


def study_looks(points: pa.Table) -> dict[str, Look]:
    """The looks of all models of a study, the same in every figure."""
    return looks(dict.fromkeys(points.column("model").to_pylist()))


def curves_figure(shown: list[Cells], points: pa.Table, fits: pa.Table, x: str, scale: str) -> Figure:
    """One panel per group: points and curves of all models, and the chance level."""
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, chosen in zip(all_axes, shown, strict=True):
        found = _curves(chosen, fits, x)
        draw_chance(axes, chosen)
        draw_curves(axes, found, look)
        label(axes, x, "smap", chosen.group, scale)
        name_curves(axes, found, look)
    key_below(figure)
    return figure


def curves_alt_text(shown: list[Cells], fits: pa.Table, x: str) -> str:
    """What `curves_figure` shows, in words."""
    parts = [
        f"{chosen.group}, chance between {np.nanmin(chosen.chance):.2f} and {np.nanmax(chosen.chance):.2f}: "
        + "; ".join(item.words() for item in _curves(chosen, fits, x))
        for chosen in shown
    ]
    return f"SMAP against {x}, points and fitted curves of each model. " + ". ".join(parts) + "."


def _curves(chosen: Cells, fits: pa.Table, x: str) -> list[Curve]:
    """Curves of all models with any result."""
    found = [curve(chosen, fits, model, x, "smap") for model in order(chosen.models)]
    return [item for item in found if len(item.x)]
