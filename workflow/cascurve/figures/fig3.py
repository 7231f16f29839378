"""Figure 3 of the paper: CDK, PAE and IAE on simulated data, each with its curve."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.paper_parts import models_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "CDK, PAE and IAE on simulated data (the paper's Fig. 3)"
MODELS = ("cdk", "pae", "iae")


def draw(
    points: pa.Table, fits: pa.Table, *, models: tuple[str, ...] = MODELS, group: str = "", x: str = "apce"
) -> Figure:
    """Points and curves.

    Parameters
    ----------
    models : those shown.
    group : "" takes the first simulated group.
    x : difficulty column.
    """
    return draw_parts(_parts(points, fits, models, group, x), columns=1)


def alt_text(
    points: pa.Table, fits: pa.Table, *, models: tuple[str, ...] = MODELS, group: str = "", x: str = "apce"
) -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, fits, models, group, x))


def _parts(points: pa.Table, fits: pa.Table, models: tuple[str, ...], group: str, x: str) -> list[Part]:
    return [models_part(points, fits, group or "simulated", group=group, models=models, x=x)]
