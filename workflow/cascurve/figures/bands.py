"""All models' curves with simultaneous bands, above the exact chance level; one panel per group."""

from typing import Any, Literal

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure

from cascurve.curves.cells import Cells
from cascurve.errors import CellError
from cascurve.figures.end_labels import End, label_ends
from cascurve.figures.panel import draw_chance, label, order, panels, study_looks
from cascurve.figures.style import SETTINGS, new_figure

TITLE = "Performance characteristic curves with simultaneous 95 % bands"
NEEDS = ("bands",)


def draw(
    points: pa.Table,
    fits: pa.Table,
    bands: pa.Table,
    *,
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> Figure:
    """Curves and bands.

    Parameters
    ----------
    bands : kind "bands".
    x : difficulty column.
    scale : of the SMAP axis.
    """
    shown = _shown(points, bands, x)
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, (chosen, by_model) in zip(all_axes, shown, strict=True):
        draw_chance(axes, chosen)
        opacity = min(0.18, 0.5 / len(by_model))  # bands that lie on one another must not hide the curves
        with mpl.rc_context(SETTINGS):
            for model, band in by_model.items():
                style, at = look[model], band["at"]
                axes.fill_between(at, band["low"], band["high"], color=style.colour, alpha=opacity, linewidth=0)
                axes.plot(
                    at, band["y"], color=style.colour, linestyle=style.dash, marker=style.marker, markevery=12,
                    markersize=3.5, label=model,
                )  # fmt: skip
            axes.legend(loc="best", handlelength=3.2)
        label(axes, x, "smap", chosen.group, scale)
        # A resample may say nothing of one end, and its curve run away there: the axis is that of the curves.
        axes.set_ylim(top=1.5 * max(band["y"].max() for band in by_model.values()))
        label_ends(axes, [End(b["at"][-1], b["y"][-1], model, look[model].colour) for model, b in by_model.items()])
    return figure


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    bands: pa.Table,
    *,
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> str:
    """What the figure shows, in words."""
    parts = []
    for chosen, by_model in _shown(points, bands, x):
        words = [
            f"{model} falls from {b['y'][0]:.3g} [{b['low'][0]:.3g}, {b['high'][0]:.3g}] at {b['at'][0]:.2f} "
            f"to {b['y'][-1]:.3g} [{b['low'][-1]:.3g}, {b['high'][-1]:.3g}] at {b['at'][-1]:.2f}"
            for model, b in by_model.items()
        ]
        parts.append(f"{chosen.group}: " + "; ".join(words))
    return f"SMAP against {x}, fitted curves with simultaneous bands. " + ". ".join(parts) + "."


def _shown(points: pa.Table, bands: pa.Table, x: str) -> list[tuple[Cells, dict[str, dict[str, Any]]]]:
    """Per group with a band: its cells, and model -> columns of its band."""
    found = []
    for chosen in panels(points, x):
        by_model = {}
        for model in order(chosen.models):
            place = (pc.field("group") == chosen.group) & (pc.field("model") == model) & (pc.field("x") == x)
            rows = bands.filter(place)
            if len(rows):
                by_model[model] = {name: np.asarray(rows.column(name)) for name in ("at", "y", "low", "high")}
        if by_model:
            found.append((chosen, by_model))
    if not found:
        raise CellError("no model has a band: an identified curve on at least 7 networks is needed")
    return found
