"""Stage: one further table about the curves."""

import importlib
from typing import Any

import pyarrow as pa

from cascurve.curves.cells import DIFFICULTIES


def run(spec: dict[str, Any], points: pa.Table) -> pa.Table:
    """The table that a function of ``curves/`` makes.

    Parameters
    ----------
    spec : keys seed, function (such as "bands.bands") and xs (difficulty columns besides `DIFFICULTIES`; those that
        the points lack are left out).
    """
    module, name = spec["function"].split(".")
    function = getattr(importlib.import_module(f"cascurve.curves.{module}"), name)
    table: pa.Table = function(points, seed=spec["seed"], xs=dict.fromkeys((*DIFFICULTIES, *spec["xs"])))
    return table
