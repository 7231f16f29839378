"""Figure A2 of the paper: scale-free networks; a: one model under all mechanisms, b: CDK, PAE and IAE."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.paper_parts import mechanisms_part, models_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "Scale-free networks (the paper's Fig. A2)"
MODELS = ("cdk", "pae", "iae")


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    models: tuple[str, ...] = MODELS,
    group: str = "ba",
    mechanisms: tuple[str, ...] = (),
    x: str = "apce",
) -> Figure:
    """Two panels.

    Parameters
    ----------
    model, models : of panel a, of panel b.
    mechanisms : of panel a; () takes all of them.
    x : difficulty column.
    """
    return draw_parts(_parts(points, fits, model, models, group, mechanisms, x), columns=2)


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    *,
    model: str = "cdk",
    models: tuple[str, ...] = MODELS,
    group: str = "ba",
    mechanisms: tuple[str, ...] = (),
    x: str = "apce",
) -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, fits, model, models, group, mechanisms, x))


def _parts(
    points: pa.Table,
    fits: pa.Table,
    model: str,
    models: tuple[str, ...],
    group: str,
    mechanisms: tuple[str, ...],
    x: str,
) -> list[Part]:
    return [
        mechanisms_part(points, f"{model}, {group}", model=model, group=group, mechanisms=mechanisms, x=x),
        models_part(points, fits, f"all models, {group}", group=group, models=models, x=x),
    ]
