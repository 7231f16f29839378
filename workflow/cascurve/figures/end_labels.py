"""Names beside the right ends of lines, so that no reader has to match a line to a legend."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np

from cascurve.figures.end_places import BESIDE, END
from cascurve.figures.style import SETTINGS


class End(NamedTuple):
    """The right end of a line, in data coordinates, and what stands beside it."""

    x: float
    y: float
    text: str
    colour: str


def label_ends(axes: Any, ends: Iterable[End]) -> None:
    """Write each name to the right of the axes; `save` sets them to the heights of their lines' ends."""
    with mpl.rc_context(SETTINGS):
        for end in ends:
            if not np.isfinite([end.x, end.y]).all():
                continue
            line = {
                "arrowstyle": "-", "color": end.colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 1.5,
                "relpos": (0, 0.5),  # to the left end of the name, not under it
            }  # fmt: skip
            axes.annotate(
                end.text, (end.x, end.y), (BESIDE, 0.5), textcoords="axes fraction", color=end.colour, label=END,
                fontsize=SETTINGS["legend.fontsize"], va="center", ha="left", arrowprops=line, annotation_clip=False,
            )  # fmt: skip
