"""Where the names at the ends of lines stand, once the layout has given the axes their height."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

END = "_end"
"""The label of the annotations that are such names."""
BESIDE = 1.06
"""Where they begin, in widths of the axes."""
LINE = 1.15
"""Height of a line of text over its size in points."""


def place_ends(figure: Figure) -> None:
    """Set each name to the height of its line's end, or as near as the others allow."""
    for axes in figure.axes:
        names: list[Any] = [text for text in axes.texts if text.get_label() == END]
        if not names:
            continue
        places = axes.transData.transform([name.xy for name in names])
        wanted = axes.transAxes.inverted().transform(places)[:, 1]
        height = axes.get_window_extent().height * 72 / figure.dpi
        for name, place in zip(names, spread(wanted, LINE * names[0].get_fontsize() / height), strict=True):
            name.xyann = (BESIDE, place)


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
