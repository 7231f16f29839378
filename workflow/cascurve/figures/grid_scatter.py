"""Points of one model over the grid: colour says N, size says L."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from cascurve.curves.cells import Cells
from cascurve.figures.markers import draw_points, key_look
from cascurve.figures.style import SETTINGS

_AREA = 8.0, 46.0  # of the shortest and the longest cascades, in square points
_MOST = 5  # values of N or of L that the legend lists in full


def scatter(axes: Any, chosen: Cells, model: str, y: str, *, key: bool = True) -> None:
    """Draw the cells and, with `key`, a legend of N and L to the right of the axes, where no point can lie."""
    scatter_values(axes, chosen, {"smap": chosen.smap, "map": chosen.map}[y][:, chosen.models.index(model)], key=key)


def scatter_values(axes: Any, chosen: Cells, scores: NDArray[np.float64], *, key: bool = True) -> None:
    """As `scatter`, for any value per cell. Colours go from light to dark with N, so they survive greyscale."""
    sizes = np.unique(chosen.size[np.isfinite(chosen.size)])
    colours = dict(zip(sizes.tolist(), mpl.colormaps["viridis_r"](np.linspace(0.42, 1.0, len(sizes))), strict=True))
    lengths = np.unique(chosen.length)
    area = np.interp(chosen.length, [lengths[0], max(lengths[-1], lengths[0] + 1)], _AREA)
    for size in sizes.tolist():
        here = chosen.size == size
        draw_points(axes, chosen.x[here], scores[here], colour=colours[size], area=area[here])
    if key:
        handles = [_dot(colours[size], 5.0, f"N = {size:g}") for size in _some(sizes)]
        for length in _some(lengths):
            diameter = float(np.sqrt(area[chosen.length == length][0]))
            handles.append(_dot("#777777", diameter, f"L = {length:g}"))
        with mpl.rc_context(SETTINGS):
            axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=1.0)


def _some(values: NDArray[np.float64]) -> list[float]:
    """All of them where they are few, else the first, the middle and the last."""
    found: list[float] = (values if len(values) <= _MOST else values[[0, len(values) // 2, -1]]).tolist()
    return found


def _dot(colour: Any, diameter: float, text: str) -> Line2D:
    return Line2D([], [], marker="o", linestyle="none", markersize=diameter, label=text, **key_look(colour))


def grid_words(chosen: Cells, model: str) -> str:
    """How many points, and over which N and L."""
    known = np.isfinite(chosen.smap[:, chosen.models.index(model)])
    size, length = chosen.size[known], chosen.length[known]
    return (
        f"{known.sum()} cells of model {model} on {chosen.group} networks under {chosen.mechanisms[0]}, "
        f"N from {size.min():g} to {size.max():g}, "
        f"L from {length.min():g} to {length.max():g}"
    )
