"""Figure A1 of the paper: MAP and SMAP of one model under LT (a, b) and SI (c, d)."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.paper_parts import scatter_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "Before and after scaling under LT and SI (the paper's Fig. A1)"


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    group: str = "",
    mechanisms: tuple[str, ...] = ("lt", "si"),
    x: str = "apce",
) -> Figure:
    """Two panels per mechanism: unscaled, and scaled with its exponential; the legend of N and L is to their right.

    Parameters
    ----------
    group : "" takes the first simulated group.
    x : difficulty column.
    """
    return draw_parts(_parts(points, model, group, mechanisms, x), columns=2)


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    group: str = "",
    mechanisms: tuple[str, ...] = ("lt", "si"),
    x: str = "apce",
) -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, model, group, mechanisms, x))


def _parts(points: pa.Table, model: str, group: str, mechanisms: tuple[str, ...], x: str) -> list[Part]:
    return [
        scatter_part(points, model=model, group=group, mechanism=mechanism, x=x, y=y, key=y == "smap")
        for mechanism in mechanisms
        for y in ("map", "smap")
    ]
