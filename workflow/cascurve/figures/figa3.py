"""Figure A3 of the paper: all models on real data, one panel per data set."""

from typing import Literal

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.panel import curves_alt_text, curves_figure, panels

TITLE = "Performance characteristic curves on real cascades (as the paper's Fig. A3)"


def draw(points: pa.Table, fits: pa.Table, *, x: str = "apce", scale: Literal["linear", "log"] = "linear") -> Figure:
    """SMAP of every model with its curve, one panel per real data set; parameters as in `curves`."""
    return curves_figure(panels(points, x, synthetic=False), points, fits, x, scale)


def alt_text(points: pa.Table, fits: pa.Table, *, x: str = "apce", scale: Literal["linear", "log"] = "linear") -> str:
    """What the figure shows, in words."""
    return curves_alt_text(panels(points, x, synthetic=False), fits, x)
