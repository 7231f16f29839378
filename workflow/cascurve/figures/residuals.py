"""What one curve leaves unexplained: log(SMAP / curve) against difficulty, N and L."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve.curves.cells import Cells
from cascurve.curves.fitting import fit
from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.markers import draw_points
from cascurve.figures.panel import panels
from cascurve.figures.paper_parts import first_simulated
from cascurve.figures.style import SETTINGS, X_LABELS, mechanism_look, new_figure

TITLE = "What the curve leaves unexplained"
Floats = NDArray[np.float64]


def draw(points: pa.Table, fits: pa.Table, *, model: str = "", group: str = "", x: str = "apce") -> Figure:
    """Residuals of the exponential of one model; a trend with N or L means that SMAP does not remove it.

    Parameters
    ----------
    model, group : "" takes CDK (or the first model), the first simulated group.
    x : difficulty column.
    """
    name, chosen, known, residual = _residuals(points, model, group, x)
    figure, all_axes = new_figure(3)
    mechanisms = list(dict.fromkeys(chosen.mechanisms))
    by_axis = ((chosen.x, X_LABELS.get(x, x)), (chosen.size, "nodes, N"), (chosen.length, "users of a cascade, L"))
    for letter, axes, (values, words) in zip("abc", all_axes, by_axis, strict=True):
        with mpl.rc_context(SETTINGS):
            for mechanism in mechanisms:
                colour, marker = mechanism_look(mechanism, mechanisms)
                here = known & (np.array(chosen.mechanisms) == mechanism)
                draw_points(axes, values[here], residual[here], colour=colour, marker=marker, label=mechanism)
            axes.axhline(0.0, color="#000000", linewidth=0.6)
            if letter != "a":
                _draw_means(axes, values[known], residual[known])
            axes.set(xlabel=words, ylabel="log(SMAP / curve)")
            axes.set_title(f"{letter}  {name}, {chosen.group}", loc="left", fontweight="bold")
    key_below(figure)
    return figure


def alt_text(points: pa.Table, fits: pa.Table, *, model: str = "", group: str = "", x: str = "apce") -> str:
    """What the figure shows, in words."""
    name, chosen, known, residual = _residuals(points, model, group, x)
    said = [
        f"mean {mean:+.2f} at {symbol} = {value:g}"
        for symbol, values in (("N", chosen.size), ("L", chosen.length))
        for value, mean in _means(values[known], residual[known])
    ]
    return (
        f"Residuals log(SMAP / curve) of {name} on {chosen.group} against {x}, N and L in {known.sum()} cells, "
        f"standard deviation {residual[known].std():.2f}: {', '.join(said)}."
    )


def _residuals(points: pa.Table, model: str, group: str, x: str) -> tuple[str, Cells, NDArray[np.bool_], Floats]:
    """Model, cells, which of them have a residual, and the residuals, shape (C,)."""
    place = first_simulated(points, group)
    chosen = panels(points.filter(pc.field("group") == place), x)[0]
    name = model or ("cdk" if "cdk" in chosen.models else chosen.models[0])
    if name not in chosen.models:
        raise CellError(f"no points of model '{name}' on {place} to draw")
    score = chosen.smap[:, chosen.models.index(name)]
    found = fit(*chosen.scores(name, "smap"))
    if found.status != "ok":
        raise CellError(f"no curve of {name} on {place}: {found.status}")
    curve = found(chosen.x)
    known = np.isfinite(chosen.x) & np.isfinite(score) & (score > 0) & (curve > 0)
    residual = np.log(np.where(known, score, 1.0) / np.where(known, curve, 1.0))
    return name, chosen, known, residual


def _draw_means(axes: Any, values: Floats, residual: Floats) -> None:
    at = np.array(_means(values, residual))
    axes.plot(at[:, 0], at[:, 1], color="#000000", marker="_", markersize=6, linewidth=0.8)


def _means(values: Floats, residual: Floats) -> list[tuple[float, float]]:
    """Mean residual at each distinct value."""
    return [(float(value), float(residual[values == value].mean())) for value in np.unique(values)]
