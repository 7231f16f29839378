"""Where each model is ahead: the paired log-ratio of MAP over difficulty, with its simultaneous band and crossings."""

from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib as mpl
import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cascurve.curves.cells import CONTROLS, cells
from cascurve.curves.comparison import Comparison, Pair
from cascurve.curves.difference import Region
from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.markers import draw_points, key_look
from cascurve.figures.panel import study_looks
from cascurve.figures.style import SETTINGS, X_LABELS, Look, label_outer, new_figure

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
    bars: dict[str, str] = {}
    for axes, (comparison, pair) in zip(all_axes, shown, strict=True):
        chosen = cells(points, comparison.group, comparison.x)
        with mpl.rc_context(SETTINGS):
            draw_points(axes, chosen.x, chosen.log_ratio(pair.a, pair.b), colour="#777777", area=6)
            axes.axhline(0.0, color="#000000", linewidth=0.6)
            _draw_band(axes, pair, look)
            bars |= {words: ahead for ahead, words, _ in _verdicts(pair)}
            axes.set(xlabel=X_LABELS.get(comparison.x, comparison.x), ylabel="log ratio of MAP")
            axes.set_title(f"{comparison.group}: {pair.a} / {pair.b}", loc="left", fontweight="bold")
    if len({comparison.x for comparison, _ in shown}) == 1:
        label_outer(all_axes)
    _draw_key(figure, bars, look, crossings=any(pair.difference.crossings for _, pair in shown if pair.difference))
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
    for ahead, words, region in _verdicts(pair):
        width = region.stop - region.start + 2 * step
        axes.bar(
            region.start - step,
            height,
            width,
            low - height,
            align="edge",
            **_bar(ahead, look),
        )
        if width > 0.18 * (found.x[-1] - found.x[0]):
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


def _verdicts(pair: Pair) -> Iterator[tuple[str, str, Region]]:
    """Who is ahead ("" for nobody), in words, where."""
    assert pair.difference is not None
    for region in pair.difference.regions:
        ahead = {"above": pair.a, "below": pair.b}.get(region.verdict, "")
        yield ahead, f"{ahead} ahead" if ahead else region.verdict, region


def _bar(ahead: str, look: dict[str, Look]) -> dict[str, Any]:
    """The look of a bar: the colour of the model ahead, white for none."""
    return {"facecolor": look[ahead].colour if ahead else "#ffffff", "edgecolor": "#777777", "linewidth": 0.4}


def _draw_key(figure: Figure, bars: dict[str, str], look: dict[str, Look], *, crossings: bool) -> None:
    """One legend under all panels; `bars` are words -> model ahead."""
    handles: list[Any] = [
        Line2D([], [], marker="o", linestyle="none", markersize=2.5, label="cell", **key_look("#777777")),
        Line2D([], [], color="#000000", label="mean"),
        Patch(facecolor="#000000", alpha=0.15, linewidth=0, label="simultaneous 95 % band"),
    ]
    if crossings:
        handles.append(Line2D([], [], color="#000000", marker="o", markersize=3, linewidth=0.8, label="crossing"))
    handles += [Patch(label=f"bar: {words}", **_bar(ahead, look)) for words, ahead in bars.items()]
    key_below(figure, handles)


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
