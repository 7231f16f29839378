"""One model on several topologies: does the curve depend on the network?"""

from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure

from cascurve.curves.cells import Cells, is_synthetic
from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.markers import draw_points
from cascurve.figures.panel import label, panels
from cascurve.figures.style import SETTINGS, mechanism_look, new_figure

TITLE = "One model, several topologies"
NEEDS = ("bands",)
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (7, 1.5, 1, 1.5)))
"""Of the topologies' curves, in their order."""


def draw(
    points: pa.Table, fits: pa.Table, bands: pa.Table, *, model: str = "cdk", regime: str = "", x: str = "apce"
) -> Figure:
    """Points, and curves with simultaneous 95 % bands where there are enough networks.

    Parameters
    ----------
    bands : kind "bands".
    regime : of the study; "" is the grid itself.
    x : difficulty column.
    """
    shown = _shown(points, model, regime, x)
    names = [chosen.group for chosen in shown]
    figure, (axes,) = new_figure(1)
    with mpl.rc_context(SETTINGS):
        for chosen in shown:
            colour, marker = mechanism_look(chosen.group, names)
            draw_points(axes, *chosen.scores(model, "smap"), colour=colour, marker=marker, area=8)
            band = _band(bands, chosen.group, model, x)
            if len(band["at"]):
                axes.fill_between(band["at"], band["low"], band["high"], color=colour, alpha=0.18, linewidth=0)
            look = {"color": colour, "marker": marker, "linestyle": DASHES[names.index(chosen.group) % len(DASHES)]}
            axes.plot(band["at"], band["y"], markevery=12, label=_entry(chosen, band), **look)
    label(axes, x, "smap", model)
    key_below(figure)
    return figure


def alt_text(
    points: pa.Table, fits: pa.Table, bands: pa.Table, *, model: str = "cdk", regime: str = "", x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    said = []
    for chosen in _shown(points, model, regime, x):
        xs, _ = chosen.scores(model, "smap")
        band = _band(bands, chosen.group, model, x)
        words = f"{chosen.group}: {len(xs)} cells, {x} from {xs.min():.2f} to {xs.max():.2f}"
        if len(band["at"]):
            half = len(band["at"]) // 2
            words += (
                f", curve {band['y'][half]:.3g} [{band['low'][half]:.3g}, {band['high'][half]:.3g}] "
                f"at {band['at'][half]:.2f}"
            )
        said.append(words)
    return f"SMAP of {model} against {x} by topology, with simultaneous bands. " + "; ".join(said) + "."


def _shown(points: pa.Table, model: str, regime: str, x: str) -> list[Cells]:
    rows = points.filter(pc.field("model") == model)
    found = [
        chosen
        for chosen in (panels(rows, x) if len(rows) else [])
        if is_synthetic(rows, chosen.group) and chosen.group.partition("@")[2] == regime
    ]
    if not found:
        raise CellError(f"no points of model '{model}' on simulated networks {regime}".rstrip() + " to draw")
    return found


def _band(bands: pa.Table, group: str, model: str, x: str) -> dict[str, Any]:
    place = (pc.field("group") == group) & (pc.field("model") == model) & (pc.field("x") == x)
    rows = bands.filter(place)
    return {name: np.asarray(rows.column(name)) for name in ("at", "y", "low", "high")}


def _entry(chosen: Cells, band: dict[str, Any]) -> str:
    return chosen.group if len(band["at"]) else f"{chosen.group}, no band"
