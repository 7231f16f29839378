"""The kinds of panel that the paper's figures are made of."""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.lines import Line2D

from cascurve.curves.cells import Cells, cells, groups, is_synthetic
from cascurve.curves.fitting import Fit, fit
from cascurve.errors import CellError
from cascurve.figures.grid_scatter import grid_words, scatter
from cascurve.figures.markers import draw_points, key_look
from cascurve.figures.panel import (
    Curve,
    curve,
    draw_chance,
    draw_curves,
    label,
    name_curves,
    one_model,
    panels,
    study_looks,
)
from cascurve.figures.parts import Part, part
from cascurve.figures.style import SETTINGS, mechanism_look

Made = tuple[str, Callable[[Any], None]]


def first_simulated(points: pa.Table, group: str) -> str:
    """`group`, or for "" the first simulated one. Raises `CellError` where there is none."""
    found = [name for name in groups(points) if is_synthetic(points, name)]
    if not found or (group and group not in found):
        raise CellError(f"no points on simulated {group or 'networks'} to draw")
    return group or found[0]


def scatter_part(points: pa.Table, *, model: str, group: str, mechanism: str, x: str, y: str, key: bool) -> Part:
    """One model under one mechanism, MAP or SMAP; SMAP with its exponential; with `key` a legend of N and L."""

    def make() -> Made:
        name, chosen = one_model(points, model, group, mechanism, x)
        found = fit(*chosen.scores(name, y)) if y == "smap" else None
        words = f"{y.upper()} against {x}, {grid_words(chosen, name)}"
        if found is not None:
            words = f"{words}; {Curve(name, *chosen.scores(name, y), found).words()}"

        def draw(axes: Any) -> None:
            scatter(axes, chosen, name, y, key=key)
            label(axes, x, y)
            if found is not None:
                draw_fit(axes, found)

        return words, draw

    return part(f"{mechanism.upper()}, {y.upper()}", make)


def draw_fit(axes: Any, found: Fit) -> None:
    """A fitted exponential in black with its formula and R², or why there is none."""
    with mpl.rc_context(SETTINGS):
        note = f"no curve: {found.status}"
        if found.status == "ok":
            grid = np.linspace(found.x_min, found.x_max, 200)
            axes.plot(grid, found(grid), color="#000000", zorder=3)
            note = "y = {y0:.3g} + {amplitude:.3g} exp(−{rate:.3g} x)".format(**found.parameters)
            note = f"{note}\nR² = {found.r2:.2f}"
        axes.text(
            0.02, 0.02, note, transform=axes.transAxes, fontsize=SETTINGS["legend.fontsize"], va="bottom", wrap=True
        )


def mechanisms_part(points: pa.Table, title: str, *, model: str, group: str, mechanisms: Sequence[str], x: str) -> Part:
    """One model under several mechanisms, with the one exponential through all of their points."""

    def make() -> Made:
        place = first_simulated(points, group)
        rows = points.filter((pc.field("group") == place) & (pc.field("model") == model))
        if len(rows) == 0:
            raise CellError(f"no points of model '{model}' on {place} to draw")
        present = dict.fromkeys(rows.column("mechanism").to_pylist())
        shown = [name for name in mechanisms or present if name in present]
        missing = [name for name in mechanisms if name not in present]
        if not shown:
            raise CellError(f"no points of mechanism {', '.join(mechanisms)} on {place} to draw")
        rows = rows.filter(pc.field("mechanism").isin(shown))
        every = panels(rows, x)[0]
        found = fit(*every.scores(model, "smap"))
        own = {name: _of(rows, name, place, x).scores(model, "smap") for name in shown}
        fits = {name: fit(*scores) for name, scores in own.items()}
        words = f"SMAP of {model} on {place} against {x}; through all: {Curve(model, *own[shown[0]], found).words()}"
        words += "".join(f"; {name} alone: {_r2(fits[name])} in {len(own[name][0])} cells" for name in shown)
        words += "".join(f"; {name} is not in the study" for name in missing)

        def draw(axes: Any) -> None:
            handles = []
            with mpl.rc_context(SETTINGS):
                for name in shown:
                    colour, marker = mechanism_look(name, shown)
                    draw_points(axes, *own[name], colour=colour, marker=marker)
                    text = f"{name}, own {_r2(fits[name])}"
                    handles.append(Line2D([], [], marker=marker, linestyle="none", label=text, **key_look(colour)))
                handles += [Line2D([], [], linestyle="none", label=f"{name}: not in the study") for name in missing]
                axes.legend(handles=handles, loc="upper right", handlelength=1.0, markerscale=0.6)
            draw_fit(axes, found)
            label(axes, x, "smap")

        return words, draw

    return part(title, make)


def models_part(
    points: pa.Table,
    fits: pa.Table,
    title: str,
    *,
    group: str,
    models: Sequence[str],
    x: str,
    simulated: bool = True,
    scale: str = "linear",
) -> Part:
    """Several models with their curves and the exact chance level; those without a point are named as missing."""

    def make() -> Made:
        place = first_simulated(points, group) if simulated else group
        if place not in groups(points):
            raise CellError(f"no data set '{place}' in this study")
        rows = points.filter(pc.field("group") == place)
        chosen = panels(rows, x)[0]
        found = [curve(chosen, fits, name, x, "smap") for name in models if name in chosen.models]
        found = [item for item in found if len(item.x)]
        missing = [name for name in models if name not in [item.model for item in found]]
        if not found:
            raise CellError(f"no points of model {', '.join(models)} on {place} to draw")
        look = study_looks(points)
        words = f"SMAP on {place} against {x}; " + "; ".join(item.words() for item in found)
        words += f"; chance between {np.nanmin(chosen.chance):.2f} and {np.nanmax(chosen.chance):.2f}"
        words += "".join(f"; no points of {name}" for name in missing)

        def draw(axes: Any) -> None:
            draw_chance(axes, chosen)
            draw_curves(axes, found, look)
            label(axes, x, "smap", scale=scale)
            name_curves(axes, found, look)
            if missing:
                with mpl.rc_context(SETTINGS):
                    note = f"no points of {', '.join(missing)}"
                    size = SETTINGS["legend.fontsize"]
                    axes.text(0.02, 0.02, note, transform=axes.transAxes, fontsize=size, color="#555555")

        return words, draw

    return part(title, make)


def _r2(found: Fit) -> str:
    return f"R² {found.r2:.2f}" if np.isfinite(found.r2) else "no curve"


def _of(rows: pa.Table, mechanism: str, group: str, x: str) -> Cells:
    return cells(rows.filter(pc.field("mechanism") == mechanism), group, x)
