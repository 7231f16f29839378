"""What the models cost: seconds of every fit, and of every model in all."""

import matplotlib as mpl
import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve.errors import CellError
from cascurve.figures.markers import draw_points
from cascurve.figures.panel import study_looks
from cascurve.figures.style import SETTINGS, new_figure

TITLE = "What the models cost"
NEEDS = ("costs",)


def draw(points: pa.Table, fits: pa.Table, costs: pa.Table) -> Figure:
    """Seconds per fit, one dot each, and total hours.

    Parameters
    ----------
    costs : kind "costs": a row per fit with model and seconds.
    """
    by_model = _seconds(costs)
    look = study_looks(points)
    figure, (left, right) = new_figure(2)
    at = np.arange(len(by_model))[::-1]
    with mpl.rc_context(SETTINGS):
        for place, (model, seconds) in zip(at, by_model.items(), strict=True):
            style = look[model]
            ranks = np.argsort(np.argsort(seconds, kind="stable"), kind="stable")
            heights = place + 0.5 * (ranks / max(len(seconds) - 1, 1) - 0.5)
            draw_points(left, np.maximum(seconds, 1e-3), heights, colour=style.colour, marker=style.marker, area=7)
            right.barh(place, seconds.sum() / 3600, color=style.colour, height=0.6)
            right.text(
                seconds.sum() / 3600, place, f" {_time(seconds.sum())}", va="center",
                fontsize=SETTINGS["legend.fontsize"],
            )  # fmt: skip
        for axes in (left, right):
            axes.set_yticks(at, list(by_model))
        left.set(xscale="log", xlabel="seconds per fit and ranking")
        right.set(xlabel="hours in all")
        right.margins(x=0.25)
        left.set_title("a  each fit", loc="left", fontweight="bold")
        right.set_title("b  all fits", loc="left", fontweight="bold")
    return figure


def alt_text(points: pa.Table, fits: pa.Table, costs: pa.Table) -> str:
    """What the figure shows, in words."""
    said = [
        f"{model}: {len(seconds)} fits, median {_time(float(np.median(seconds)))}, longest {_time(seconds.max())}, "
        f"{_time(seconds.sum())} in all"
        for model, seconds in _seconds(costs).items()
    ]
    return "Time of the fits by model. " + "; ".join(said) + "."


def _seconds(costs: pa.Table) -> dict[str, NDArray[np.float64]]:
    """Seconds of each fit by model, the dearest model first."""
    models, seconds = (np.array(costs.column(name).to_pylist()) for name in ("model", "seconds"))
    if not len(models):
        raise CellError("no costs of any fit to draw")
    found = {str(name): seconds[models == name].astype(np.float64) for name in np.unique(models)}
    return dict(sorted(found.items(), key=lambda item: (-item[1].sum(), item[0])))


def _time(seconds: float) -> str:
    if seconds >= 3600:
        return f"{seconds / 3600:.3g} h"
    return f"{seconds / 60:.3g} min" if seconds >= 60 else f"{seconds:.3g} s"
