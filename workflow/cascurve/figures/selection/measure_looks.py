"""The look of measures: a colour and marker each, dashes by what they look at; the control always grey and dotted."""

from collections.abc import Iterable

from cascurve.figures.style import Look

CONTROL_LOOK = Look("#777777", "x", (0, (1, 2)))
# The paper's three groups: measures at a threshold, of the ranking, of the probabilities.
PAPER = {
    "ACC": Look("#8c6d1f", "o", (0, (2, 1.5))),
    "FSC": Look("#b0413e", "s", (0, (2, 1.5))),
    "LFT": Look("#6b7d00", "^", (0, (2, 1.5))),
    "BEP": Look("#aa3377", "v", (0, (2, 1.5))),
    "AUC": Look("#009e73", "D", (0, (7, 1.5))),
    "APR": Look("#000000", "P", (0, (7, 1.5))),
    "SAUC": Look("#d55e00", "o", "-"),
    "RMS": Look("#0072b2", "s", "-"),
    "MXE": Look("#7b52ab", "^", "-"),
}
_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#aa3377",
    "#000000",
    "#8c6d1f",
    "#7b52ab",
    "#b0413e",
    "#6b7d00",
    "#4a5fc1",
)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def measure_looks(measures: Iterable[str], control: str) -> dict[str, Look]:
    """The look of each measure of a figure: the paper's own, or by its place among the others."""
    others = [name for name in dict.fromkeys(measures) if name not in PAPER and name != control]
    found = dict(PAPER) | {control: CONTROL_LOOK}
    for place, name in enumerate(others):
        found[name] = Look(_COLOURS[place % len(_COLOURS)], _MARKERS[place % len(_MARKERS)], "-")
    return found
