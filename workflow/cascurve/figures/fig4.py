"""Figure 4 of the paper: Embedded-IC against Topo-LSTM on simulated data and on three real data sets."""

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve.figures.paper_parts import models_part
from cascurve.figures.parts import Part, draw_parts, parts_words

TITLE = "Embedded-IC against Topo-LSTM (the paper's Fig. 4)"
MODELS = ("embedded_ic", "topo_lstm")
DATASETS = ("twitter", "digg", "douban")


def draw(
    points: pa.Table,
    fits: pa.Table,
    *,
    models: tuple[str, ...] = MODELS,
    group: str = "",
    datasets: tuple[str, ...] = DATASETS,
    x: str = "apce",
) -> Figure:
    """Panel a: simulated; one more per real data set, a gap where the study has none of that name.

    Parameters
    ----------
    models : those shown.
    group : of panel a; "" takes the first simulated group.
    datasets : names of real data sets in the study.
    x : difficulty column.
    """
    return draw_parts(_parts(points, fits, models, group, datasets, x), columns=2)


def alt_text(
    points: pa.Table,
    fits: pa.Table,
    *,
    models: tuple[str, ...] = MODELS,
    group: str = "",
    datasets: tuple[str, ...] = DATASETS,
    x: str = "apce",
) -> str:
    """What the figure shows, in words."""
    return parts_words(_parts(points, fits, models, group, datasets, x))


def _parts(
    points: pa.Table, fits: pa.Table, models: tuple[str, ...], group: str, datasets: tuple[str, ...], x: str
) -> list[Part]:
    simulated = models_part(points, fits, group or "simulated", group=group, models=models, x=x)
    real = [models_part(points, fits, name, group=name, models=models, x=x, simulated=False) for name in datasets]
    return [simulated, *real]
