"""The look of all figures: one colour, marker and dash per model everywhere; identical bytes on every run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from cascurve.figures.end_places import place_ends
from cascurve.figures.wrapping import wrap_labels
from cascurve.storage import replacing


@dataclass(frozen=True)
class Preset:
    """What a place of publication asks of a figure.

    Attributes
    ----------
    column, page : width of a figure of one panel, and of one with more, in mm; None: as wide as its panels.
    tallest : greatest height in mm.
    font : text size in pt; `small` is that of ticks, legends and notes.
    line : width of a curve in pt; `thin` is that of axes.
    families : typefaces by preference; the first that the machine has is taken, and DejaVu Sans where it has none.
    dpi : resolution of the bitmap.
    """

    column: float | None
    page: float | None
    tallest: float
    font: float
    small: float
    line: float
    thin: float
    families: tuple[str, ...]
    dpi: float

    def settings(self) -> dict[str, Any]:
        """As Matplotlib's rcParams."""
        return {
            "pdf.fonttype": 42,  # TrueType: text stays text
            "svg.fonttype": "none",
            "svg.hashsalt": "cascurve",
            "font.family": "sans-serif",
            "font.sans-serif": _installed(self.families),
            "font.size": self.font,
            "axes.labelsize": self.font,
            "axes.titlesize": self.font,
            "xtick.labelsize": self.small,
            "ytick.labelsize": self.small,
            "legend.fontsize": self.small,
            "legend.frameon": False,
            "axes.linewidth": self.thin,
            "xtick.major.width": self.thin,
            "ytick.major.width": self.thin,
            "lines.linewidth": self.line,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.dpi": 100.0,
            # inches between panels: text is some percent wider in a file than the layout thinks (hinting)
            "figure.constrained_layout.w_pad": 0.09,
            "savefig.dpi": self.dpi,
            "axes.unicode_minus": True,
        }


_ARIAL = ("Arial", "Helvetica", "Liberation Sans")  # the last has the same widths as Arial
PRESETS = {
    # DejaVu Sans comes with Matplotlib, so the layout is the same on every machine
    "plain": Preset(None, None, 400, 7, 6, 1.2, 0.6, ("DejaVu Sans",), 300),
    "nature": Preset(89, 183, 170, 7, 5.5, 1.0, 0.5, _ARIAL, 300),
    "elsevier": Preset(90, 190, 240, 8, 7, 1.0, 0.5, _ARIAL, 500),
    "aip": Preset(85, 170, 230, 8, 8, 1.0, 0.5, _ARIAL, 600),
    "acm": Preset(84.6, 177.8, 220, 8, 7, 1.0, 0.5, ("Linux Biolinum O", "Linux Biolinum", *_ARIAL), 300),
    "slides": Preset(254, 254, 143, 14, 12, 2.2, 1.0, _ARIAL, 150),
}
"""By the name in a study's key ``style``."""

PANEL_WIDTH, PANEL_HEIGHT = 3.2, 2.5  # inches, of a plain figure; one journal column is 3.5
_RATIO = PANEL_HEIGHT / PANEL_WIDTH
_NARROWEST = 52.0  # mm for a panel of text of 7 pt
_LINES = 7  # of text, in the lowest panel: what has more panels than fit the page is taller than the page
_MM = 1 / 25.4


def _installed(families: tuple[str, ...]) -> list[str]:
    if families == ("DejaVu Sans",):
        return list(families)
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    return [*(name for name in families if name in known), "DejaVu Sans"]


SETTINGS: Any = PRESETS["plain"].settings()
"""The settings of the figure that is being drawn; `preset` changes them."""

drawn = mpl.rc_context(SETTINGS)
"""Decorates functions that draw: all that they do has the settings."""

_CURRENT = [PRESETS["plain"]]


@contextmanager
def preset(name: str) -> Iterator[None]:
    """Draw and save what is inside in the style of that name."""
    _CURRENT.append(PRESETS[name])
    SETTINGS.update(_CURRENT[-1].settings())
    try:
        yield
    finally:
        _CURRENT.pop()
        SETTINGS.update(_CURRENT[-1].settings())


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


_KINDS = (("#aa3377", "P"), ("#2f7d8c", "X"), ("#6b7d00", "p"), ("#b0413e", "h"), ("#4a5fc1", "d"), ("#555555", "<"))
_MECHANISMS = ("ic", "lt", "si")


def mechanism_look(name: str, names: Sequence[str]) -> tuple[str, str]:
    """Colour and marker of a mechanism or a topology among `names`; no model has them.

    The paper's mechanisms have their own in every figure; others follow by their place in `names`.
    """
    others = [other for other in names if other not in _MECHANISMS]
    rank = _MECHANISMS.index(name) if name in _MECHANISMS else len(_MECHANISMS) + others.index(name)
    return _KINDS[rank % len(_KINDS)]


def looks(models: Iterable[str]) -> dict[str, Look]:
    """The look of each model of a study: fixed for known names, by alphabetical rank for the others."""
    names = list(models)
    others = sorted(set(names) - set(_LOOKS))
    spare = {name: _SPARE[rank % len(_SPARE)] for rank, name in enumerate(others)}
    return {name: _LOOKS.get(name) or spare[name] for name in names}


def new_figure(n_panels: int, *, columns: int = 3, width: float = PANEL_WIDTH) -> tuple[Figure, list[Any]]:
    """A figure with `n_panels` axes in rows of at most `columns`, and the axes.

    Parameters
    ----------
    width : of a panel of a plain figure, in inches; other styles have a width of their own.
    """
    style = _CURRENT[-1]
    across = min(n_panels, columns)
    total = style.column if across == 1 else style.page
    if total is not None:
        fitting = int(total / (_NARROWEST * style.font / 7))
        across = max(1, min(across, fitting))
        width = total * _MM / across
    down = -(-n_panels // across)
    height = min(width * _RATIO if total is not None else PANEL_HEIGHT, style.tallest * _MM / down)
    height = max(height, _LINES * style.font / 72)
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(width * across, height * down), layout="constrained")
        axes = [figure.add_subplot(down, across, position + 1) for position in range(n_panels)]
    return figure, axes


def label_outer(all_axes: Sequence[Any]) -> None:
    """Leave the axis labels of panels that share them to the lowest panel of each column and the first of each row."""
    across = all_axes[0].get_subplotspec().get_gridspec().ncols
    for place, axes in enumerate(all_axes):
        if place + across < len(all_axes):
            axes.set_xlabel("")
        if place % across:
            axes.set_ylabel("")


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
            if wrap_labels(figure):
                layout.execute(figure)
            figure.set_layout_engine("none")
            place_ends(figure)
        for kind in kinds:
            path = target.with_name(f"{target.name}.{kind}")
            with replacing(path) as partial:
                figure.savefig(partial, metadata=metadata[kind])
            written.append(path)
    return written
