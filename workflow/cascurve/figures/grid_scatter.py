"""Points of one model over the grid: colour says N, size says L."""

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from cascurve.curves.cells import Cells
from cascurve.figures.style import SETTINGS

_AREA = 8.0, 46.0  # of the shortest and the longest cascades, in square points


def scatter(axes: Any, chosen: Cells, model: str, y: str) -> None:
    """Draw the cells and a legend of N and L."""
    scatter_values(axes, chosen, {"smap": chosen.smap, "map": chosen.map}[y][:, chosen.models.index(model)])


def scatter_values(axes: Any, chosen: Cells, scores: NDArray[np.float64]) -> None:
    """As `scatter`, for any value per cell. Colours go from light to dark with N, so they survive greyscale."""
    sizes = np.unique(chosen.size[np.isfinite(chosen.size)])
    colours = dict(zip(sizes.tolist(), mpl.colormaps["viridis_r"](np.linspace(0.42, 1.0, len(sizes))), strict=True))
    lengths = np.unique(chosen.length)
    area = np.interp(chosen.length, [lengths[0], max(lengths[-1], lengths[0] + 1)], _AREA)
    with mpl.rc_context(SETTINGS):
        for size in sizes.tolist():
            here = chosen.size == size
            axes.scatter(chosen.x[here], scores[here], s=area[here], color=colours[size], alpha=0.85, edgecolors="none")
        shown = sizes if len(sizes) <= 5 else sizes[[0, len(sizes) // 2, -1]]
        handles = [_dot(colours[size], 5.0, f"N = {size:g}") for size in shown.tolist()]
        for length in dict.fromkeys([lengths[0], lengths[len(lengths) // 2], lengths[-1]]):
            diameter = float(np.sqrt(area[chosen.length == length][0]))
            handles.append(_dot("#777777", diameter, f"L = {length:g}"))
        axes.legend(handles=handles, loc="upper right", ncols=2 if len(handles) > 5 else 1, handlelength=1.0)


def _dot(colour: Any, diameter: float, text: str) -> Line2D:
    return Line2D(
        [], [], color=colour, marker="o", linestyle="none", markersize=diameter, markeredgewidth=0, label=text
    )


def grid_words(chosen: Cells, model: str) -> str:
    """How many points, and over which N and L."""
    known = np.isfinite(chosen.smap[:, chosen.models.index(model)])
    size, length = chosen.size[known], chosen.length[known]
    return (
        f"{known.sum()} cells of model {model} on {chosen.group} networks under {chosen.mechanisms[0]}, "
        f"N from {size.min():g} to {size.max():g}, "
        f"L from {length.min():g} to {length.max():g}"
    )
