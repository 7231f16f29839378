"""Stage: one figure and what it shows in words."""

from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve import plugins
from cascurve.curves.comparison import Comparison
from cascurve.errors import CellError
from cascurve.figures.parts import gap_figure


def run(
    spec: dict[str, Any],
    points: pa.Table,
    fits: pa.Table,
    comparisons: str,
    bands: pa.Table,
    costs: pa.Table | None = None,
) -> tuple[Figure, str]:
    """The figure and its description.

    Parameters
    ----------
    spec : keys module and parameters.
    comparisons : JSON lines, one comparison each.
    bands : kind "bands".
    costs : kind "costs", for a figure that needs it.
    """
    module = plugins.load("figures", spec["module"])
    tables = [points, fits]
    for name in getattr(module, "NEEDS", ()):
        if name in ("bands", "costs"):
            tables.append({"bands": bands, "costs": costs}[name])
        else:
            tables.append([Comparison.from_json(line) for line in comparisons.splitlines()])
    try:
        return module.draw(*tables, **spec["parameters"]), module.alt_text(*tables, **spec["parameters"])
    except CellError as error:  # a study need not have what every figure shows
        return gap_figure(module.TITLE, str(error)), f"{module.TITLE}. Nothing to show: {error}."
