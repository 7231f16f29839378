"""Points of a scatter plot: an edge in the full colour, so that each stands off the paper, around a pale face."""

from typing import Any

import matplotlib as mpl
from matplotlib.colors import to_rgba
from numpy.typing import ArrayLike

from cascurve.figures.style import SETTINGS

UNFILLED = "x+1_"
"""Markers that are strokes and have no face."""

_FACE = 0.35  # opacity: where points lie on one another the faces grow darker, and every edge still shows
_EDGE = 0.6  # pt


def draw_points(
    axes: Any, x: ArrayLike, y: ArrayLike, *, colour: Any, marker: str = "o", area: Any = 9.0, label: str | None = None
) -> None:
    """Draw points.

    Parameters
    ----------
    x, y : shape (n,), data coordinates.
    colour : its contrast on white is to be 3:1 or more (WCAG 2.1, 1.4.11).
    area : in square points, one or shape (n,).
    label : entry of the legend; None for no entry.
    """
    strokes = marker in UNFILLED
    look = {"color": colour} if strokes else {"facecolors": [to_rgba(colour, _FACE)], "edgecolors": [colour]}
    with mpl.rc_context(SETTINGS):
        axes.scatter(x, y, s=area, marker=marker, linewidths=0.8 if strokes else _EDGE, label=label, **look)


def key_look(colour: Any) -> dict[str, Any]:
    """The look of such a point in a legend, for a `Line2D`."""
    return {
        "color": colour,
        "markeredgecolor": colour,
        "markerfacecolor": to_rgba(colour, _FACE),
        "markeredgewidth": _EDGE,
    }
