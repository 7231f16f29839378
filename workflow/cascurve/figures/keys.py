"""The legend of a figure: below all panels, where no data can be."""

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from cascurve.figures.style import SETTINGS

CHANCE = "chance (exact)"
_ENTRY = 1.5
"""Inches that an entry takes."""


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
    across = max(1, int(figure.get_figwidth() / _ENTRY))
    with mpl.rc_context(SETTINGS):
        figure.legend(
            [entries[name] for name in names],
            names,
            loc="outside lower left",
            ncols=min(across, len(names)),
            handlelength=3.2,
        )
