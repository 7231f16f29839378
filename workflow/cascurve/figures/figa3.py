"""Figure A3 of the paper: models on real data, one panel per data set."""

from typing import Literal

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.panel import curves_alt_text, curves_figure, panels
from cascurve.figures.paper_parts import models_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "Performance characteristic curves on real cascades (as the paper's Fig. A3)"
MODELS = ("cdk", "pae", "iae")


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    models: tuple[str, ...] = MODELS,
    datasets: tuple[str, ...] = (),
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> Figure:
    """SMAP of models with their curves.

    Parameters
    ----------
    datasets : one panel each, a gap where the study has none of that name, with `models`; () takes all real data
        sets of the study, with all models.
    x : difficulty column.
    scale : of the SMAP axis.
    """
    if not datasets:
        return curves_figure(panels(points, x, synthetic=False), points, fits, x, scale)
    return draw_parts(_parts(points, fits, models, datasets, x, scale), columns=3, gaps=True)


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    *,
    models: tuple[str, ...] = MODELS,
    datasets: tuple[str, ...] = (),
    x: str = "apce",
    scale: Literal["linear", "log"] = "linear",
) -> str:
    """What the figure shows, in words."""
    if not datasets:
        return curves_alt_text(panels(points, x, synthetic=False), fits, x)
    return parts_words(_parts(points, fits, models, datasets, x, scale))


def _parts(
    points: pa.Table, fits: pa.Table, models: tuple[str, ...], datasets: tuple[str, ...], x: str, scale: str
) -> list[Part]:
    return [
        models_part(points, fits, name, group=name, models=models, x=x, simulated=False, scale=scale)
        for name in datasets
    ]
