"""The look of all figures: one colour, marker and dash per model everywhere; identical bytes on every run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from cascurve.storage import replacing

SETTINGS: Any = {
    "pdf.fonttype": 42,  # TrueType: text stays text
    "svg.fonttype": "none",
    "svg.hashsalt": "cascurve",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with Matplotlib, so the layout is the same on every machine
    "font.size": 7.0,
    "axes.labelsize": 7.0,
    "axes.titlesize": 7.0,
    "xtick.labelsize": 6.0,
    "ytick.labelsize": 6.0,
    "legend.fontsize": 6.0,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100.0,
    "savefig.dpi": 300.0,
    "axes.unicode_minus": True,
}
drawn = mpl.rc_context(SETTINGS)
"""Decorates functions that draw: all that they do has the settings."""

PANEL_WIDTH, PANEL_HEIGHT = 3.2, 2.5  # inches; one journal column is 3.5

X_LABELS = {
    "apce": "disorder of the data, APCE",
    "apce_bayes": "disorder of the data, APCE corrected by empirical Bayes",
    "apce_rel": "disorder of the data, APCE over its value for fair coins",
    "apce_pairs": "disorder of the data, unbiased 4pq",
    "apce_zhang": "disorder of the data, APCE by Zhang's estimator",
}
Y_LABELS = {"map": "MAP", "smap": "SMAP = MAP · N / L"}


@dataclass(frozen=True)
class Look:
    """How one model is drawn; colour, marker and dash are redundant."""

    colour: str
    marker: str
    dash: Any


# Okabe & Ito's colours that reach a contrast of 3:1 on white, then darker ones that stay apart from them.
_LOOKS = {
    "cdk": Look("#0072b2", "o", "-"),
    "pae": Look("#d55e00", "s", (0, (5, 1.5))),
    "iae": Look("#009e73", "^", (0, (7, 1.5, 1, 1.5))),
    "embedded_ic": Look("#cc79a7", "D", (0, (3, 1.2))),
    "topo_lstm": Look("#000000", "v", (0, (1.2, 1.2))),
    "random": Look("#777777", "x", (0, (1, 2))),
    "popularity": Look("#8c6d1f", "+", (0, (2, 2))),
    "frequency": Look("#7b52ab", "*", (0, (6, 2, 1, 2, 1, 2))),
    "oracle": Look("#555555", "1", (0, (8, 2))),
}
_SPARE = [
    Look(colour, marker, dash)
    for marker, dash in (("P", "-"), ("X", (0, (4, 1))), ("p", (0, (2, 1))), ("h", (0, (6, 1, 1, 1))))
    for colour in ("#aa3377", "#2f7d8c", "#6b7d00", "#b0413e", "#4a5fc1")
]


def looks(models: Iterable[str]) -> dict[str, Look]:
    """The look of each model of a study: fixed for known names, by alphabetical rank for the others."""
    names = list(models)
    others = sorted(set(names) - set(_LOOKS))
    spare = {name: _SPARE[rank % len(_SPARE)] for rank, name in enumerate(others)}
    return {name: _LOOKS.get(name) or spare[name] for name in names}


def new_figure(n_panels: int, *, columns: int = 3, width: float = PANEL_WIDTH) -> tuple[Figure, list[Any]]:
    """A figure with `n_panels` axes in rows of at most `columns`, and the axes."""
    with mpl.rc_context(SETTINGS):
        across = min(n_panels, columns)
        down = -(-n_panels // across)
        figure = Figure(figsize=(width * across, PANEL_HEIGHT * down), layout="constrained")
        axes = [figure.add_subplot(down, across, position + 1) for position in range(n_panels)]
    return figure, axes


def save(
    figure: Figure,
    stem: str | Path,
    kinds: Iterable[str] = ("pdf", "svg", "png"),
    settings: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write ``stem.pdf``, ``stem.svg`` and ``stem.png``, or some of them; the same figure gives the same bytes.

    `settings` are Matplotlib's, in place of some of `SETTINGS`.
    """
    target = Path(stem)
    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"CreationDate": None, "ModDate": None},
        "svg": {"Date": None},
        "png": {"Software": None},
    }
    written = []
    with mpl.rc_context(SETTINGS | dict(settings or {})):
        layout = figure.get_layout_engine()
        if layout is not None:  # once for all three files
            layout.execute(figure)
            figure.set_layout_engine("none")
        for kind in kinds:
            path = target.with_name(f"{target.name}.{kind}")
            with replacing(path) as partial:
                figure.savefig(partial, metadata=metadata[kind])
            written.append(path)
    return written
