"""Where each model is ahead: the paired log-ratio of MAP over difficulty, with its simultaneous band and crossings."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.curves.cells import CONTROLS, cells
from cascurve.curves.comparison import Comparison, Pair
from cascurve.errors import CellError
from cascurve.figures.panel import study_looks
from cascurve.figures.style import SETTINGS, X_LABELS, Look, new_figure

TITLE = "Which model is ahead, by difficulty"
NEEDS = ("comparisons",)


def draw(
    points: pa.Table,
    fits: pa.Table,
    comparisons: Sequence[Comparison],
    *,
    models: tuple[str, ...] = (),
    groups: tuple[str, ...] = (),
    at_most: int = 12,
) -> Figure:
    """One panel per group and pair: cells, mean, band; a strip that says who is ahead; crossings with intervals.

    Parameters
    ----------
    comparisons : from `compare_all`.
    models, groups : those shown; () for all.
    at_most : panels; pairs with a control are shown only where there is no other pair.
    """
    shown = _shown(comparisons, models, groups)[:at_most]
    look = study_looks(points)
    figure, all_axes = new_figure(len(shown))
    for axes, (comparison, pair) in zip(all_axes, shown, strict=True):
        chosen = cells(points, comparison.group, comparison.x)
        with mpl.rc_context(SETTINGS):
            axes.scatter(chosen.x, chosen.log_ratio(pair.a, pair.b), s=6, color="#777777", alpha=0.5, edgecolors="none")
            axes.axhline(0.0, color="#000000", linewidth=0.6)
            _draw_band(axes, pair, look)
            axes.set(xlabel=X_LABELS.get(comparison.x, comparison.x), ylabel=f"log(MAP {pair.a} / MAP {pair.b})")
            axes.set_title(f"{comparison.group}: {pair.a} against {pair.b}", loc="left", fontweight="bold")
    return figure


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    comparisons: Sequence[Comparison],
    *,
    models: tuple[str, ...] = (),
    groups: tuple[str, ...] = (),
    at_most: int = 12,
) -> str:
    """What the figure shows, in words: the verdicts of the pairs shown."""
    said = []
    for comparison, pair in _shown(comparisons, models, groups)[:at_most]:
        said.append(comparison.verdict()[comparison.pairs.index(pair)])
    return "Log ratio of MAP of pairs of models against difficulty, with simultaneous bands. " + " ".join(said)


def _draw_band(axes: Any, pair: Pair, look: dict[str, Look]) -> None:
    found = pair.difference
    assert found is not None
    axes.fill_between(found.x, found.low, found.high, color="#000000", alpha=0.15, linewidth=0)
    axes.plot(found.x, found.mean, color="#000000")
    step = (found.x[1] - found.x[0]) / 2
    low, high = axes.get_ylim()
    height = 0.05 * (high - low)
    for region in found.regions:
        ahead = {"above": pair.a, "below": pair.b}.get(region.verdict)
        width = region.stop - region.start + 2 * step
        colour = look[ahead].colour if ahead else "#ffffff"
        axes.bar(
            region.start - step,
            height,
            width,
            low - height,
            align="edge",
            color=colour,
            edgecolor="#777777",
            linewidth=0.4,
        )
        if width > 0.18 * (found.x[-1] - found.x[0]):
            words = f"{ahead} ahead" if ahead else region.verdict
            small = SETTINGS["legend.fontsize"]
            axes.text(
                region.start - step + width / 2, low + 0.3 * height, words, ha="center", va="bottom", fontsize=small
            )
    for crossing in found.crossings:
        reach = [[crossing.x - crossing.low], [crossing.high - crossing.x]]
        axes.errorbar(
            [crossing.x], [0.0], xerr=reach, color="#000000", marker="o", markersize=3, capsize=2, linewidth=0.8
        )
    axes.set_ylim(low - height, high)


def _shown(
    comparisons: Sequence[Comparison], models: tuple[str, ...], groups: tuple[str, ...]
) -> list[tuple[Comparison, Pair]]:
    """Pairs that have a band; those with a control only where there are no others."""
    found = [
        (c, pair)
        for c in comparisons
        for pair in c.pairs
        if pair.difference is not None
        and (not groups or c.group in groups)
        and (not models or {pair.a, pair.b} <= set(models))
    ]
    without_controls = [(c, pair) for c, pair in found if not {pair.a, pair.b} & set(CONTROLS)]
    if not found:
        raise CellError("no pair of models has a band over difficulty: at least 7 networks are needed")
    return without_controls or found
