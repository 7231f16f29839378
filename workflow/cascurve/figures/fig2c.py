"""Figure 2c of the paper: one model under IC, LT and SI together, with one fit and its R²."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.paper_parts import mechanisms_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "One curve for all mechanisms? (the paper's Fig. 2c)"


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    group: str = "",
    mechanisms: tuple[str, ...] = (),
    x: str = "apce",
) -> Figure:
    """Points of one model by mechanism.

    Parameters
    ----------
    group : "" takes the first simulated group.
    mechanisms : () takes all of them.
    x : difficulty column.
    """
    return draw_parts(_parts(points, model, group, mechanisms, x), columns=1)


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    group: str = "",
    mechanisms: tuple[str, ...] = (),
    x: str = "apce",
) -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, model, group, mechanisms, x))


def _parts(points: pa.Table, model: str, group: str, mechanisms: tuple[str, ...], x: str) -> list[Part]:
    title = f"{model}, {group}" if group else model
    return [mechanisms_part(points, title, model=model, group=group, mechanisms=mechanisms, x=x)]
