"""All models of the study: points and fitted curves, one panel per group (the paper's Fig. 3, A2b and A3)."""

from typing import Literal

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.panel import curves_alt_text, curves_figure, panels

TITLE = "Performance characteristic curves of all models"


def draw(points: pa.Table, fits: pa.Table, *, x: str = "apce", scale: Literal["linear", "log"] = "linear") -> Figure:
    """SMAP of every model with its curve, and the exact chance level of every cell.

    Parameters
    ----------
    x : difficulty column.
    scale : of the SMAP axis.
    """
    return curves_figure(panels(points, x), points, fits, x, scale)


def alt_text(points: pa.Table, fits: pa.Table, *, x: str = "apce", scale: Literal["linear", "log"] = "linear") -> str:
    """What the figure shows, in words."""
    return curves_alt_text(panels(points, x), fits, x)
