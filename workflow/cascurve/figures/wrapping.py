"""Labels of axes that are longer than their axis, in two lines: the layout lets a long label run out of the picture."""

from matplotlib.figure import Figure
from matplotlib.text import Text


def wrap_labels(figure: Figure) -> bool:
    """Break every label that is longer than its axis; whether there was any. The layout must have been made."""
    wrapped = False
    for axes in figure.axes:
        room = axes.get_window_extent()
        for label, long in ((axes.xaxis.label, room.width), (axes.yaxis.label, room.height)):
            across = label is axes.xaxis.label
            extent = label.get_window_extent()
            if (extent.width if across else extent.height) > long:
                wrapped |= _break(label)
    return wrapped


def _break(label: Text) -> bool:
    """Two lines at the space that leaves the shorter longest line; False where there is none, or a break already."""
    text = label.get_text()
    places = [at for at, letter in enumerate(text) if letter == " "]
    if not places or "\n" in text:
        return False
    at = min(places, key=lambda place: max(place, len(text) - place - 1))
    label.set_text(f"{text[:at]}\n{text[at + 1 :]}")
    return True
