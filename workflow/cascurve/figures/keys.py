"""The legend of a figure: below all panels, where no data can be."""

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from cascurve.figures.style import SETTINGS

CHANCE = "chance (exact)"
_BESIDE = 6.0
_LETTER = 0.55
"""Widths over the size of the text: of what an entry has beside its name, and of a letter of the name."""


def key_below(figure: Figure, handles: Iterable[Any] | None = None) -> None:
    """Draw it; nothing where there are no entries.

    Parameters
    ----------
    handles : the entries; None for all that is labelled in the panels, once each, the chance level last.
    """
    entries: dict[str, Any] = {}
    if handles is not None:
        entries = {handle.get_label(): handle for handle in handles}
    else:
        for axes in figure.axes:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                entries.setdefault(label, handle)
    if not entries:
        return
    names = sorted(entries, key=lambda label: label == CHANCE)
    widest = (_BESIDE + _LETTER * max(map(len, names))) * SETTINGS["legend.fontsize"] / 72
    across = max(1, int(figure.get_figwidth() / widest))
    with mpl.rc_context(SETTINGS):
        figure.legend(
            [entries[name] for name in names],
            names,
            loc="outside lower left",
            ncols=min(across, len(names)),
            handlelength=3.2,
        )
