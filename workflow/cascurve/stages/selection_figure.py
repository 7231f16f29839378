"""A figure on measures; where a study has nothing for it, a gap that says why."""

from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve import plugins
from cascurve.errors import CellError
from cascurve.figures.parts import gap_figure


def run(spec: dict[str, Any], table: pa.Table) -> tuple[Figure, str]:
    """The figure and its description; `spec` has the keys module and parameters."""
    module = plugins.load("figures/selection", spec["module"])
    parameters = spec["parameters"]
    try:
        return module.draw(table, **parameters), module.alt_text(table, **parameters)
    except CellError as error:  # such as classes outside all groups of the paper's Figure 2
        title = module.title(**parameters)
        return gap_figure(title, str(error)), f"{title}. Nothing to show: {error}."
