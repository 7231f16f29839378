"""Tolerance-ratio curves of the experiment on classifiers (Figures 1 to 3 of Huang and Ling, AAAI 2006)."""

import matplotlib as mpl
import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.errors import CellError
from cascurve.figures.selection.measure_looks import measure_looks
from cascurve.figures.style import SETTINGS, new_figure
from cascurve.selection.measures import CONTROL

KIND = "selection_tolerance"
WORDS = {"goal": "goal", "classes": "share of positives", "learner": "learner"}
PAPER = {"goal": 1, "classes": 2, "learner": 3}


def title(*, by: str) -> str:
    """One line."""
    return f"How often each measure is within x % of the best, by {WORDS[by]} (as the paper's Figure {PAPER[by]})"


def draw(table: pa.Table, *, by: str) -> Figure:
    """One panel per level of `by` (goal | classes | learner): share of cases against the tolerance."""
    curves = _curves(table, by)
    look = measure_looks((measure for by_measure in curves.values() for measure in by_measure), CONTROL)
    figure, all_axes = new_figure(len(curves), columns=4)
    for axes, ((level, cases), by_measure) in zip(all_axes, curves.items(), strict=True):
        with mpl.rc_context(SETTINGS):
            for measure, (tolerances, ratios) in by_measure.items():
                style = look[measure]
                axes.plot(
                    tolerances, ratios, color=style.colour, marker=style.marker, linestyle=style.dash,
                    markersize=3, label=measure,
                )  # fmt: skip
            axes.set(xlabel="tolerance x, %", ylabel="share of cases", ylim=(-0.03, 1.03), xticks=tolerances)
            axes.set_title(f"{level} ({cases} cases)", loc="left", fontweight="bold")
    with mpl.rc_context(SETTINGS):
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside right center", handlelength=3.0)
    return figure


def alt_text(table: pa.Table, *, by: str) -> str:
    """What the figure shows, in words: the shares at the widest tolerance."""
    parts = []
    for (level, cases), by_measure in _curves(table, by).items():
        ends = sorted(by_measure.items(), key=lambda item: -item[1][1][-1])
        shares = ", ".join(f"{measure} {ratios[-1]:.0%}" for measure, (_, ratios) in ends)
        widest = next(iter(by_measure.values()))[0][-1]
        parts.append(f"{level} ({cases} cases), within {widest:g} %: {shares}.")
    return (
        "Share of cases in which a measure's model selection ability is within x % of the best measure's. "
        "The control knows no labels, and the best is taken without it. " + " ".join(parts)
    )


Curves = dict[tuple[str, int], dict[str, tuple[list[float], list[float]]]]


def _curves(table: pa.Table, by: str) -> Curves:
    """(level, cases) -> measure -> (tolerances, ratios)."""
    found: Curves = {}
    for row in table.to_pylist():
        if row["by"] == by:
            of_level = found.setdefault((row["level"], row["cases"]), {})
            tolerances, ratios = of_level.setdefault(row["measure"], ([], []))
            tolerances.append(row["tolerance"])
            ratios.append(row["ratio"])
    if not found:
        raise CellError(f"no data set is in a group by {WORDS[by]}")
    return found
