"""Figure 2b of the paper: SMAP against the disorder of the data, with the fitted curve."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.curves.fitting import fit
from cascurve.figures.grid_scatter import grid_words, scatter
from cascurve.figures.panel import Curve, label, one_model
from cascurve.figures.paper_parts import draw_fit
from cascurve.figures.style import new_figure

TITLE = "Accuracy after scaling, with the exponential fit (the paper's Fig. 2b)"


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "",
    group: str = "",
    mechanism: str = "",
    x: str = "apce",
) -> Figure:
    """Points of one model, and the curve through them; parameters as in `fig2a`."""
    name, chosen = one_model(points, model, group, mechanism, x)
    found = fit(*chosen.scores(name, "smap"))
    figure, (axes,) = new_figure(1)
    scatter(axes, chosen, name, "smap")
    label(axes, x, "smap", f"{name}, {chosen.group}, {chosen.mechanisms[0]}")
    draw_fit(axes, found)
    return figure


def alt_text(
    points: pa.Table, fits: pa.Table, *, model: str = "", group: str = "", mechanism: str = "", x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    name, chosen = one_model(points, model, group, mechanism, x)
    scores = chosen.scores(name, "smap")
    return (
        f"Scatter plot of SMAP against {x} with a fitted exponential: {grid_words(chosen, name)}. "
        f"{Curve(name, *scores, fit(*scores)).words()}."
    )
