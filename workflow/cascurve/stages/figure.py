"""Stage: one figure and what it shows in words."""

from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve import plugins
from cascurve.curves.comparison import Comparison


def run(
    spec: dict[str, Any],
    points: pa.Table,
    fits: pa.Table,
    comparisons: str,
    bands: pa.Table,
    novelty: pa.Table | None = None,
) -> tuple[Figure, str]:
    """The figure and its description.

    Parameters
    ----------
    spec : keys module and parameters.
    comparisons : JSON lines, one comparison each.
    bands : kind "bands".
    novelty : kind "novelty_points", for figures that need it.
    """
    module = plugins.load("figures", spec["module"])
    tables = [points, fits]
    for name in getattr(module, "NEEDS", ()):
        if name == "bands":
            tables.append(bands)
        elif name == "novelty":
            tables.append(novelty)
        else:
            tables.append([Comparison.from_json(line) for line in comparisons.splitlines()])
    return module.draw(*tables, **spec["parameters"]), module.alt_text(*tables, **spec["parameters"])
