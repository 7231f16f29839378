"""By which measure to choose among diffusion models, when m cascades are there to choose by."""

from itertools import pairwise
from typing import Any

import matplotlib as mpl
import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.errors import CellError
from cascurve.figures.selection.measure_looks import measure_looks
from cascurve.figures.style import SETTINGS, new_figure
from cascurve.selection.basis import basis
from cascurve.selection.measures import BLIND

KIND = "selection_summary"
SHOWN = 5

Row = dict[str, Any]


def title() -> str:
    """One line."""
    return "How often each measure picks the better model, by the number of cascades it sees"


def draw(table: pa.Table) -> Figure:
    """One panel per set of candidates and goal: MSA against m.

    Named are the goal itself with its interval, the label-free control, and the best of the others; the rest is grey.
    """
    panels = _panels(table)
    look = measure_looks((name for (_, goal), rows in panels.items() for name in _named(rows, goal)), BLIND)
    figure, all_axes = new_figure(len(panels), columns=4)
    for axes, ((candidates, goal), rows) in zip(all_axes, panels.items(), strict=True):
        named = _named(rows, goal)
        with mpl.rc_context(SETTINGS):
            for measure in [name for name in dict.fromkeys(row["measure"] for row in rows) if name not in named]:
                axes.plot(*_line(rows, measure), color="#cccccc", linewidth=0.6, zorder=1)
            for measure in named:
                style = look[measure]
                x, y = _line(rows, measure)
                width = 2.0 if measure == goal else 1.0
                axes.plot(
                    x, y, color=style.colour, marker=style.marker, linestyle=style.dash, markersize=3,
                    linewidth=width, label=f"{measure} (the goal)" if measure == goal else measure,
                )  # fmt: skip
            own = [row for row in rows if row["measure"] == goal]
            lows, highs = ([row[key] for row in own] for key in ("msa_low", "msa_high"))
            axes.fill_between([row["m"] for row in own], lows, highs, color=look[goal].colour, alpha=0.15, linewidth=0)
            axes.axhline(0.5, color="#000000", linewidth=0.5)
            axes.set_xscale("log", base=2)
            sizes = sorted({row["m"] for row in rows})
            axes.set_xticks(sizes, [str(size) for size in sizes])
            lowest = min(row["msa"] for row in rows)
            axes.set(xlabel="cascades to choose by, m", ylabel="MSA", ylim=(min(0.45, lowest - 0.05), 1.02))
            axes.set_title(f"{candidates}, goal {goal}", loc="left", fontweight="bold")
            axes.text(0.98, 0.03, _basis(rows), transform=axes.transAxes, ha="right", va="bottom", fontsize="small")
            _legend(axes, [*lows, *(row["msa"] for row in rows)])
    return figure


def _legend(axes: Any, values: list[float]) -> None:
    """A legend in the widest gap between the lines, that of the coin among them, where one is wide enough."""
    low, high = axes.get_ylim()
    levels = sorted([low, 0.5, *(value for value in values if value > low), high])
    below, above = max(pairwise(levels), key=lambda ends: ends[1] - ends[0])
    if len(axes.get_legend_handles_labels()[1]) < 4 or above - below < 0.2 * (high - low):
        axes.legend(loc="best", handlelength=3.0)
        return
    middle = ((below + above) / 2 - low) / (high - low)
    axes.legend(loc="center", bbox_to_anchor=(0.5, middle), handlelength=2.6, ncols=2, columnspacing=1.0)


def alt_text(table: pa.Table) -> str:
    """What the figure shows, in words: the named measures at the smallest and the largest m."""
    parts = []
    for (candidates, goal), rows in _panels(table).items():
        lines = {measure: _line(rows, measure) for measure in _named(rows, goal)}
        said = ", ".join(f"{measure} {y[0]:.2f} to {y[-1]:.2f}" for measure, (_, y) in lines.items())
        sizes = sorted({row["m"] for row in rows})
        parts.append(f"{candidates}, goal {goal}, {_basis(rows)}, from m = {sizes[0]} to {sizes[-1]}: {said}.")
    return "Share of pairs of models of which a measure picks the better one (0.5 is a coin). " + " ".join(parts)


def _panels(table: pa.Table) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in table.to_pylist():
        if row["by"] == "overall":
            found.setdefault((row["candidates"], row["goal"]), []).append(row)
    if not found:
        raise CellError("no candidates have a result to draw")
    return found


def _basis(rows: list[Row]) -> str:
    return basis(max(row["n_pairs"] for row in rows), max(row["cells"] for row in rows))


def _named(rows: list[Row], goal: str) -> list[str]:
    """The goal, the control, and the best of the others by their mean over m; only pairs known to all compete."""
    total: dict[str, list[float]] = {}
    most = max(row["n_pairs"] for row in rows)
    for row in rows:
        if row["n_pairs"] >= most - 0.5:
            total.setdefault(row["measure"], []).append(row["msa"])
    best = sorted(total, key=lambda name: -sum(total[name]) / len(total[name]))
    others = [name for name in best if name not in (goal, BLIND)][:SHOWN]
    present = {row["measure"] for row in rows}
    return [name for name in (goal, *others, BLIND) if name in present]


def _line(rows: list[Row], measure: str) -> tuple[list[int], list[float]]:
    chosen = sorted((row for row in rows if row["measure"] == measure), key=lambda row: row["m"])
    return [row["m"] for row in chosen], [row["msa"] for row in chosen]
