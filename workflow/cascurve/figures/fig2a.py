"""Figure 2a of the paper: MAP against the disorder of the data, unscaled."""

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.grid_scatter import grid_words, scatter
from cascurve.figures.panel import label, one_model
from cascurve.figures.style import new_figure

TITLE = "Accuracy before scaling (the paper's Fig. 2a)"


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "",
    group: str = "",
    mechanism: str = "",
    x: str = "apce",
) -> Figure:
    """Points of one model.

    Parameters
    ----------
    model, group, mechanism : "" takes CDK (or the first model), the first simulated group, the first mechanism.
    x : difficulty column.
    """
    name, chosen = one_model(points, model, group, mechanism, x)
    figure, (axes,) = new_figure(1)
    scatter(axes, chosen, name, "map")
    label(axes, x, "map", f"{name}, {chosen.group}, {chosen.mechanisms[0]}")
    return figure


def alt_text(
    points: pa.Table, fits: pa.Table, *, model: str = "", group: str = "", mechanism: str = "", x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    name, chosen = one_model(points, model, group, mechanism, x)
    xs, ys = chosen.scores(name, "map")
    return (
        f"Scatter plot of MAP against {x}: {grid_words(chosen, name)}. MAP lies between {ys.min():.3g} and "
        f"{ys.max():.3g}, {x} between {xs.min():.2f} and {xs.max():.2f}; their rank correlation is {_ranked(xs, ys)}."
    )


def _ranked(xs: np.ndarray, ys: np.ndarray) -> str:
    """Spearman's correlation, in words where it is undefined."""
    if min(len(np.unique(xs)), len(np.unique(ys))) < 2:
        return "undefined"
    from scipy.stats import spearmanr

    return f"{spearmanr(xs, ys).statistic:.2f}"
