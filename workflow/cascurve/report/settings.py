"""What was run, in full: networks, cascades and models with all parameters, those left at their defaults included."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from cascurve import plugins
from cascurve.report.html import section, table, text

COUNTS = {"sources": "sources", "n_train": "training cascades", "n_test": "test cascades", "min_reach": "least reach"}
"""Keys of a grid -> what they are called."""

Entry = Mapping[str, Any]
"""A plug-in: key ``use`` with its module, and its parameters."""


def settings(grids: Sequence[Mapping[str, Any]], models: Mapping[str, Entry]) -> str:
    """The section.

    Parameters
    ----------
    grids : keys topologies and mechanisms (label -> `Entry`), n and degree, and those of `COUNTS`.
    models : label -> `Entry`.
    """
    data = [
        (
            f"{topology}: {stated('networks', network)}",
            f"{label}: {stated('mechanisms', mechanism)}",
            *(", ".join(map(str, grid[key])) for key in ("n", "degree")),
            *(grid[key] for key in COUNTS),
        )
        for grid in grids
        for topology, network in grid["topologies"].items()
        for label, mechanism in grid["mechanisms"].items()
    ]
    columns = ("networks", "mechanism", "N", "degree", *COUNTS.values())
    simulated = table(columns, data, "Simulated data: every network with every mechanism.") if data else ""
    fitted = [(label, stated("models", entry)) for label, entry in models.items()]
    return section(
        "Settings", "settings", simulated, table(("model", "parameters"), fitted, "Models, with all their parameters.")
    )


def stated(folder: str, entry: Entry) -> str:
    """A plug-in and all of its parameters: those given, and the defaults of the others."""
    name = entry["use"]
    module = plugins.load(folder, name)
    own = next(getattr(module, point) for point in plugins.ENTRY_POINTS if hasattr(module, point))
    known = inspect.signature(own).parameters
    used = {key: entry.get(key, known[key].default) for key in plugins.parameters(folder, name)}
    return " ".join([name, ", ".join(f"{key} = {_said(value)}" for key, value in used.items())]).strip()


def _said(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else text(value)
