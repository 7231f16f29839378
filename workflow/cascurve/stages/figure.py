"""Stage: one figure and what it shows in words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from matplotlib.figure import Figure

from cascurve import plugins
from cascurve.curves.comparison import Comparison
from cascurve.errors import CellError
from cascurve.figures.parts import gap_figure
from cascurve.storage import read_table

KINDS = {"novelty": "novelty_points"}
"""Kind of a table that a figure needs, where it is not called as the table is."""


def read(files: Mapping[str, str]) -> dict[str, Any]:
    """What a figure needs besides points and fits (its ``NEEDS``), from the files of those names."""
    found: dict[str, Any] = {}
    for name, file in files.items():
        if name == "comparisons":
            lines = Path(file).read_text(encoding="utf-8").splitlines()
            found[name] = [Comparison.from_json(line) for line in lines]
        else:
            found[name] = read_table(file, KINDS.get(name, name))[0]
    return found


def run(spec: dict[str, Any], points: pa.Table, fits: pa.Table, needed: Mapping[str, Any]) -> tuple[Figure, str]:
    """The figure and its description.

    Parameters
    ----------
    spec : keys module and parameters.
    needed : what the figure's ``NEEDS`` name, from `read`.
    """
    module = plugins.load("figures", spec["module"])
    tables = [points, fits, *(needed[name] for name in getattr(module, "NEEDS", ()))]
    try:
        return module.draw(*tables, **spec["parameters"]), module.alt_text(*tables, **spec["parameters"])
    except CellError as error:  # a study need not have what every figure shows
        return gap_figure(module.TITLE, str(error)), f"{module.TITLE}. Nothing to show: {error}."
