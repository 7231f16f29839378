"""Before and after: MAP as it is, MAP·N/L, and MAP·N^a/L^b with the fitted exponents, against difficulty."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve.curves.cells import Cells
from cascurve.curves.collapse import exponents, spread
from cascurve.errors import CellError
from cascurve.figures.grid_scatter import scatter_values
from cascurve.figures.panel import panels
from cascurve.figures.paper_parts import first_simulated
from cascurve.figures.parts import Part, draw_parts, part, parts_words
from cascurve.figures.style import SETTINGS, X_LABELS

TITLE = "The collapse, before and after"
_FITTED = "fitted exponents"
_RESAMPLES = 50  # they give the region of the exponents, which is not shown here


def draw(points: pa.Table, fits: pa.Table, *, model: str = "cdk", group: str = "", x: str = "apce") -> Figure:
    """Three panels of the same cells under three scalings, on a log scale.

    Parameters
    ----------
    group : "" takes the first simulated group.
    x : difficulty column.
    """
    return draw_parts(_parts(points, model, group, x), columns=3)


def alt_text(points: pa.Table, fits: pa.Table, *, model: str = "cdk", group: str = "", x: str = "apce") -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, model, group, x))


def _parts(points: pa.Table, model: str, group: str, x: str) -> list[Part]:
    place = first_simulated(points, group)
    rows = points.filter((pc.field("group") == place) & (pc.field("model") == model))
    if len(rows) == 0:
        raise CellError(f"no points of model '{model}' on {place} to draw")
    chosen = panels(rows, x)[0]
    found = exponents(chosen, model, np.random.default_rng(0), _RESAMPLES)
    fitted = bool(np.isfinite(found.a))
    return [
        _scaled(chosen, x, "MAP, unscaled", 0.0, 0.0, "MAP"),
        _scaled(chosen, x, "MAP · N / L", 1.0, 1.0, "MAP · N / L", key=not fitted),
        _scaled(chosen, x, _FITTED, found.a, found.b, _formula(found.a, found.b), key=True)
        if fitted
        else part(_FITTED, _none(found.status)),
    ]


def _none(why: str) -> Any:
    def make() -> Any:
        raise CellError(f"no fitted exponents: {why}")

    return make


def _formula(a: float, b: float) -> str:
    """With raised exponents, in the typeface of the labels."""
    return rf"MAP · $\mathregular{{N^{{{a:.2f}}}}}$ / $\mathregular{{L^{{{b:.2f}}}}}$"


def _scaled(chosen: Cells, x: str, title: str, a: float, b: float, axis: str, *, key: bool = False) -> Part:
    """MAP · N^a / L^b; `axis` is what stands at its axis, and with `key` a legend of N and L to the right."""

    def make() -> Any:
        values: NDArray[np.float64] = chosen.map[:, 0] * chosen.size**a / chosen.length**b
        known = np.isfinite(values) & (values > 0) & np.isfinite(chosen.x)
        apart = spread(chosen.x[known], values[known], chosen.block[known])
        words = f"MAP · N to the power {a:.2f} / L to the power {b:.2f}, " if title == _FITTED else ""
        words += f"{known.sum()} cells between {values[known].min():.3g} and {values[known].max():.3g}"
        if np.isfinite(apart):
            words += f"; mean distance in log between (N, L) groups {apart:.2f}"

        def draw(axes: Any) -> None:
            scatter_values(axes, chosen, values, key=key)
            with mpl.rc_context(SETTINGS):
                axes.set(xlabel=X_LABELS.get(x, x), ylabel=axis, yscale="log")
                if np.isfinite(apart):
                    note, size = f"distance {apart:.2f}", SETTINGS["legend.fontsize"]
                    axes.text(0.02, 0.02, note, transform=axes.transAxes, fontsize=size)

        return words, draw

    return part(title, make)
