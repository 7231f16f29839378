"""Models over windows of time: accuracy, burst-aware weight and number of infections, and disorder of each window."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from matplotlib.figure import Figure

from cascurve.figures.keys import CHANCE, key_below
from cascurve.figures.panel import order
from cascurve.figures.style import drawn, looks, new_figure
from cascurve.timeaware.slices import FITTING

METRIC = "MAP"
GREY = "#777777"
CLOCK = (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0))


@drawn
def over_windows(windows: pa.Table, performance: pa.Table, left_out: pa.Table, *, group: str) -> Figure:
    """Three panels for the first data of a group at its middle length, with its shortest windows.

    Parameters
    ----------
    windows, performance, left_out : tables of these kinds, of the whole study.
    """
    rows, scored = _shown(windows, performance, group)
    if not len(rows):
        figure, (axes,) = new_figure(1)
        axes.text(0.5, 0.5, _why(left_out, group), ha="center", wrap=True, transform=axes.transAxes)
        axes.set_axis_off()
        return figure
    figure, (accuracy, weight, disorder) = new_figure(3)
    low = np.asarray(rows.column("low"))
    seconds = rows.column("seconds").to_pylist()[0]
    unit, words = _unit(seconds, float(np.ptp(low)))
    x = dict(zip(_numbers(rows), ((low - low.min()) / unit).tolist(), strict=True))
    look = looks(dict.fromkeys(performance.column("model").to_pylist()))
    models = order(dict.fromkeys(scored.column("model").to_pylist()))
    for model in models:
        own = scored.filter(pc.field("model") == model)
        style = look[model]
        accuracy.plot(*_apart(_numbers(own), x, _floats(own, "uniform")), color=style.colour, linestyle=style.dash,
                      marker=style.marker, markersize=3.5, label=model)  # fmt: skip
    own = scored.filter(pc.field("model") == models[0])
    accuracy.plot(
        *_apart(_numbers(own), x, _floats(own, "chance")),
        color=GREY,
        linewidth=0.8,
        label=CHANCE,
    )
    accuracy.set(ylabel=f"{METRIC}, mean over entities", ylim=(0, None))
    weight.axhline(1.0, color=GREY, linewidth=0.6)
    moments = _apart(_numbers(rows), x, _floats(rows, "weight"), _floats(rows, "weight_sd"))
    weight.errorbar(*moments, color="#000000", marker="o", markersize=3.5, linewidth=1.0, capsize=1.5, elinewidth=0.5)
    weight.set(ylabel="burst-aware weight (mean, spread)")
    corrected, error = _floats(rows, "apce_bayes"), _floats(rows, "apce_bayes_se")
    gap = "" if np.isfinite(corrected).all() else " (gap: too few pairs)"
    disorder.errorbar(*_apart(_numbers(rows), x, corrected, error), color="#0072b2", marker="s", markersize=3.5,
                      linewidth=1.0, capsize=1.5, elinewidth=0.5, label=f"corrected, ± s.e.{gap}")  # fmt: skip
    disorder.plot(
        *_apart(_numbers(rows), x, _floats(rows, "apce")), color=GREY, marker="o", markersize=3.0, label="plug-in"
    )
    disorder.set(ylabel="disorder in the window, APCE", ylim=(-0.03, 1.03))
    length = rows.column("length").to_pylist()[0]
    for axes in (accuracy, weight, disorder):
        axes.set(xlabel=f"time since the first window, {words}")
        axes.set_title(f"{group}, L = {length}, {_kind(rows, seconds)}", loc="left", fontweight="bold")
    key_below(figure)
    return figure


def alt_text(windows: pa.Table, performance: pa.Table, left_out: pa.Table, *, group: str) -> str:
    """What the figure shows, in words."""
    rows, scored = _shown(windows, performance, group)
    if not len(rows):
        return f"{group}: {_why(left_out, group)}"
    parts = []
    for model in order(dict.fromkeys(scored.column("model").to_pylist())):
        values = np.asarray(scored.filter(pc.field("model") == model).column("uniform"))
        parts.append(f"{model} between {values.min():.3g} and {values.max():.3g}")
    weight, apce = _floats(rows, "weight"), _floats(rows, "apce_bayes")
    known = apce[np.isfinite(apce)]
    hard = f"between {known.min():.2f} and {known.max():.2f}" if len(known) else "unknown"
    if len(known) < len(apce):
        notes = dict.fromkeys(filter(None, rows.column("apce_note").to_pylist()))
        hard += f"; {len(apce) - len(known)} of {len(apce)} windows have none, where {' or '.join(notes)}"
    return (
        f"{group}, L = {rows.column('length').to_pylist()[0]}, {_kind(rows, rows.column('seconds').to_pylist()[0])}, "
        f"{len(rows)} of them with an infection: {METRIC} of "
        f"{'; '.join(parts)}. Burst-aware weights between {weight.min():.2f} and {weight.max():.2f}; "
        f"corrected APCE in a window {hard}."
    )


def _shown(windows: pa.Table, performance: pa.Table, group: str) -> tuple[pa.Table, pa.Table]:
    """The windows and MAP of the group's first data with the most windows, at the middle length."""
    rows = windows.filter(pc.field("group") == group)
    if not len(rows):
        return rows, rows
    keys = [tuple(row) for row in zip(*(rows.column(k).to_pylist() for k in ("data", "slices", "length")), strict=True)]
    data = keys[0][0]
    counts: dict[tuple[str, int], int] = {}
    for one, slices, length in keys:
        if one == data:
            counts[slices, length] = counts.get((slices, length), 0) + 1
    lengths = sorted({length for _, length in counts})
    length = lengths[len(lengths) // 2]
    slices = max((kind for kind, at in counts if at == length), key=lambda kind: counts[kind, length])
    place = (pc.field("data") == data) & (pc.field("slices") == slices) & (pc.field("length") == length)
    return rows.filter(place), performance.filter(place & (pc.field("metric") == METRIC))


def _unit(seconds: bool, span: float) -> tuple[float, str]:
    """What the time axis is divided by, and its name: days, hours or minutes where times are known to be in seconds.

    Else the unit is that of the data, by a power of ten where numbers would be too long for the axis.
    """
    if seconds:
        name, unit = next(((name, unit) for name, unit in CLOCK if span >= 2 * unit), CLOCK[-1])
        return unit, f"in {name}"
    if span < 1e4:
        return 1.0, "in the unit of the data"
    power = int(np.log10(span))
    return 10.0**power, f"in $10^{{{power}}}$ units of the data"


def _apart(slices: list[int], x: dict[int, float], *values: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Times and values with a gap wherever windows without an infection lie between: no line crosses them."""
    gaps = np.flatnonzero(np.diff(slices) > 1) + 1
    return [np.insert(np.asarray(of, float), gaps, np.nan) for of in ([x[place] for place in slices], *values)]


def _numbers(rows: pa.Table) -> list[int]:
    return list(map(int, rows.column("slice").to_pylist()))


def _why(left_out: pa.Table, group: str) -> str:
    rows = [row for row in left_out.to_pylist() if row["group"] == group]
    reasons = "; ".join(dict.fromkeys(row["reason"] for row in rows)) or "no data"
    return f"nothing to show over time: {reasons}"


def _kind(rows: pa.Table, seconds: bool) -> str:
    """How time is cut: a number of windows, or their width, that of "auto" in figures."""
    slices = str(rows.column("slices").to_pylist()[0])
    if slices.isdigit():
        return f"{slices} equal windows"
    if slices != FITTING:
        return f"windows: {slices}"
    width = rows.column("up").to_pylist()[0] - rows.column("low").to_pylist()[0]
    name, unit = next(((name, unit) for name, unit in CLOCK if seconds and width >= unit), ("", 1.0))
    return f"windows of {width / unit:.4g}{name and f' {name}'}"


def _floats(table: pa.Table, name: str) -> np.ndarray[Any, Any]:
    return np.array([np.nan if value is None else value for value in table.column(name).to_pylist()])
