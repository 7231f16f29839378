"""Names beside the right ends of lines, so that no reader has to match a line to a legend."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from cascurve.figures.style import SETTINGS

LINE = 1.15
"""Height of a line of text over its size in points."""


class End(NamedTuple):
    """The right end of a line, in data coordinates, and what stands beside it."""

    x: float
    y: float
    text: str
    colour: str


def label_ends(axes: Any, ends: Iterable[End]) -> None:
    """Write each name to the right of the axes, at the height of its line's end or as near as the others allow.

    Call it last: the limits and the scale of the axes say where the ends are.
    """
    found = [end for end in ends if np.isfinite([end.x, end.y]).all()]
    if not found:
        return
    size = float(SETTINGS["legend.fontsize"])
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    places = axes.transData.transform([(end.x, end.y) for end in found])
    wanted = axes.transAxes.inverted().transform(places)[:, 1]
    heights = spread(wanted, LINE * size / height)
    with mpl.rc_context(SETTINGS):
        for end, place in zip(found, heights, strict=True):
            line = {
                "arrowstyle": "-", "color": end.colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 1.5,
                "relpos": (0, 0.5),  # to the left end of the name, not under it
            }  # fmt: skip
            axes.annotate(
                end.text, (end.x, end.y), (1.06, place), textcoords="axes fraction", color=end.colour, fontsize=size,
                va="center", ha="left", arrowprops=line, annotation_clip=False,
            )  # fmt: skip


def spread(wanted: ArrayLike, apart: float) -> NDArray[np.float64]:
    """Heights at least `apart`, in the order of `wanted` and as near to it as they can be (least squares).

    Parameters
    ----------
    wanted : shape (n,); in units of the axes' height, from 0 to 1.
    apart : smallest distance; where n of them do not fit into 1, they stand as far apart as fits.
    """
    target = np.clip(np.asarray(wanted, dtype=np.float64), 0, 1)
    order = np.argsort(target, kind="stable")
    step = min(apart, 1 / max(len(target) - 1, 1)) * np.arange(len(target))
    room = 1 - (step[-1] if len(step) else 0)
    placed = np.empty_like(target)
    placed[order] = np.clip(isotonic_regression(target[order] - step).x, 0, room) + step
    return placed
