"""Figures of several lettered panels, as the paper lays them out; a panel without data is a labelled gap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from cascurve.errors import CellError
from cascurve.figures.keys import key_below
from cascurve.figures.style import SETTINGS, new_figure


@dataclass(frozen=True)
class Part:
    """One panel.

    Attributes
    ----------
    title : what stands above it, after its letter.
    words : what it shows, for those who do not see it.
    draw : draws it into axes; None for a gap, whose words say what is missing.
    """

    title: str
    words: str
    draw: Callable[[Any], None] | None


def part(title: str, make: Callable[[], tuple[str, Callable[[Any], None]]]) -> Part:
    """The panel that `make` gives words and drawing of; a gap where it finds no data (`CellError`)."""
    try:
        words, draw = make()
    except CellError as error:
        return Part(title, str(error), None)
    return Part(title, words, draw)


def draw_parts(parts: Sequence[Part], *, columns: int, gaps: bool = False) -> Figure:
    """The figure.

    Parameters
    ----------
    gaps : draw it even where all panels are gaps.

    Raises
    ------
    CellError : when all panels are gaps, without `gaps`.
    """
    if not gaps and all(item.draw is None for item in parts):
        raise CellError("; ".join(dict.fromkeys(item.words for item in parts)))
    figure, all_axes = new_figure(len(parts), columns=columns)
    for letter, axes, item in zip(ascii_lowercase, all_axes, parts, strict=False):
        if item.draw is None:
            draw_gap(axes, item.words)
        else:
            item.draw(axes)
        name = f"{letter}  {item.title}" if len(parts) > 1 else item.title
        with mpl.rc_context(SETTINGS):
            axes.set_title(name, loc="left", fontweight="bold")
    key_below(figure)
    return figure


def parts_words(parts: Sequence[Part]) -> str:
    """What the figure shows, in words."""
    said = []
    for letter, item in zip(ascii_lowercase, parts, strict=False):
        head = f"{letter}, {item.title}: " if len(parts) > 1 else f"{item.title}: "
        said.append(head + (f"no data: {item.words}" if item.draw is None else item.words))
    return ". ".join(said) + "."


def draw_gap(axes: Any, why: str) -> None:
    """An empty panel that says what is missing."""
    with mpl.rc_context(SETTINGS):
        axes.set(xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set(visible=True, linestyle=(0, (4, 4)), color="#777777")
        words = f"no data\n{_wrapped(why)}"
        axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color="#555555")


def gap_figure(title: str, why: str) -> Figure:
    """A figure that has nothing to show and says so."""
    figure, (axes,) = new_figure(1)
    draw_gap(axes, why)
    with mpl.rc_context(SETTINGS):
        axes.set_title(_wrapped(title), loc="left", fontweight="bold")
    return figure


def _wrapped(text: str, width: int = 42) -> str:
    from textwrap import fill

    return fill(text, width)
