"""All models' curves with simultaneous bands, above the exact chance level; one panel per group."""

from dataclasses import dataclass
from typing import Literal

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure
from numpy.typing import NDArray

from cascurve.curves.bands import FEWEST
from cascurve.curves.cells import Cells
from cascurve.curves.fitting import fit
from cascurve.errors import CellError
from cascurve.figures.end_labels import End, label_ends
from cascurve.figures.keys import key_below
from cascurve.figures.panel import draw_chance, label, order, panels, study_looks
from cascurve.figures.style import SETTINGS, new_figure

TITLE = "Performance characteristic curves with simultaneous 95 % bands"
NEEDS = ("bands",)


@dataclass(frozen=True)
class _Band:
    """Columns of a model's band."""

    at: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def value(self, place: int) -> str:
        """The curve at an end, in words; SMAP is positive, so a band from below 0 does not say what it is there."""
        where = f"at {self.at[place]:.2f}"
        if not self.determined[place]:
            return f"not determined {where} (its band reaches below 0)"
        return f"{self.y[place]:.3g} [{self.low[place]:.3g}, {self.high[place]:.3g}] {where}"

    @property
    def determined(self) -> NDArray[np.bool_]:
        """At which difficulties the band stays above 0, shape of `at`."""
        return np.asarray(self.low >= 0)

    def words(self) -> str:
        """The curve from end to end."""
        if not self.determined.any():
            return "is not determined (its band reaches below 0 everywhere)"
        if self.determined[[0, -1]].all():
            verb = "falls" if self.y[-1] < self.y[0] else "rises"
            return f"{verb} from {self.value(0)} to {self.value(-1)}"
        return f"is {self.value(0)} and {self.value(-1)}"

    def note(self) -> str:
        """Where the curve is not determined; "" where it is everywhere."""
        unknown = self.at[~self.determined]
        return f"not determined\nfrom {unknown[0]:.2f} to {unknown[-1]:.2f}" if len(unknown) else ""


@dataclass(frozen=True)
class _Panel:
    """A group's cells, its bands by model, and why the other models have none."""

    cells: Cells
    bands: dict[str, _Band]
    without: dict[str, str]

    def notes(self) -> list[str]:
        """What a reader of the panel must know of its models."""
        noted = [f"{model}: {band.note()}" for model, band in self.bands.items() if band.note()]
        return noted + [f"{model}: no curve" for model in self.without]


def draw(
    points: pa.Table,
    fits: pa.Table,
    bands: pa.Table,
    *,
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> Figure:
    """Curves and bands.

    Parameters
    ----------
    bands : kind "bands".
    x : difficulty column.
    scale : of the SMAP axis.
    """
    shown, _ = _shown(points, bands, x)
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, panel in zip(all_axes, shown, strict=True):
        draw_chance(axes, panel.cells)
        opacity = min(0.18, 0.5 / len(panel.bands))  # bands that lie on one another must not hide the curves
        with mpl.rc_context(SETTINGS):
            for model, band in panel.bands.items():
                style = look[model]
                axes.fill_between(band.at, band.low, band.high, color=style.colour, alpha=opacity, linewidth=0)
                axes.plot(
                    band.at, band.y, color=style.colour, linestyle=style.dash, marker=style.marker, markevery=12,
                    markersize=3.5, label=model,
                )  # fmt: skip
            if panel.notes():
                axes.text(
                    0.98, 0.98, "\n".join(panel.notes()), transform=axes.transAxes, ha="right", va="top",
                    fontsize=SETTINGS["legend.fontsize"], color="#555555",
                )  # fmt: skip
        label(axes, x, "smap", panel.cells.group, scale)
        # A resample may say nothing of one end, and its curve run away there: the axis is that of the curves.
        axes.set_ylim(top=1.5 * max(band.y.max() for band in panel.bands.values()))
        label_ends(axes, [End(b.at[-1], b.y[-1], model, look[model].colour) for model, b in panel.bands.items()])
    key_below(figure)
    return figure


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    bands: pa.Table,
    *,
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> str:
    """What the figure shows, in words, and what it leaves out and why."""
    shown, left_out = _shown(points, bands, x)
    parts = []
    for panel in shown:
        words = [f"{model} {b.words()}" for model, b in panel.bands.items()]
        words += [f"{model} has no curve ({why})" for model, why in panel.without.items()]
        parts.append(f"{panel.cells.group}: " + "; ".join(words))
    parts += [f"{group} has no panel: {why}" for group, why in left_out.items()]
    return f"SMAP against {x}, fitted curves with simultaneous bands. " + ". ".join(parts) + "."


def _shown(points: pa.Table, bands: pa.Table, x: str) -> tuple[list[_Panel], dict[str, str]]:
    """The groups with a band, and why the others have none."""
    found, left_out = [], {}
    for chosen in panels(points, x):
        by_model, without = {}, {}
        for model in order(chosen.models):
            place = (pc.field("group") == chosen.group) & (pc.field("model") == model) & (pc.field("x") == x)
            rows = bands.filter(place)
            if len(rows):
                by_model[model] = _Band(*(np.asarray(rows.column(name)) for name in ("at", "y", "low", "high")))
            else:
                without[model] = _reason(chosen, model)
        if by_model:
            found.append(_Panel(chosen, by_model, without))
        else:
            left_out[chosen.group] = "; ".join(dict.fromkeys(without.values()))
    if not found:
        raise CellError(f"no model has a band: an identified curve on at least {FEWEST} networks is needed")
    return found, left_out


def _reason(chosen: Cells, model: str) -> str:
    """Why a model has no band."""
    known = np.isfinite(chosen.x) & np.isfinite(chosen.smap[:, chosen.models.index(model)])
    networks = len(np.unique(chosen.network[known]))
    if not networks:
        return "no results"
    if networks < FEWEST:
        return f"a band needs {FEWEST} networks, and there {'is' if networks == 1 else 'are'} {networks}"
    status = fit(*chosen.scores(model, "smap")).status
    return status if status != "ok" else "the table of bands does not have it"
