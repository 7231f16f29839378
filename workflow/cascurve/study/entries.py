"""Entries of a configuration that name plug-ins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cascurve import plugins


@dataclass(frozen=True)
class Plugin:
    """An entry of the configuration that names a module: its label, the module, its parameters, the files they name."""

    label: str
    module: str
    parameters: Mapping[str, Any]
    files: tuple[str, ...] = ()


def read(folder: str, raw: Mapping[str, Mapping[str, Any]], where: str) -> dict[str, Plugin]:
    """The checked entries of a mapping from names to parameters; `where` is its key in the configuration."""
    found = {}
    for label, entry in raw.items():
        module = entry.get("use", label)
        plugins.require(folder, module, f"{where}.{label}" + (".use" if "use" in entry else ""))
        parameters = {key: value for key, value in entry.items() if key != "use"}
        plugins.check_parameters(folder, module, parameters, f"{where}.{label}")
        found[label] = Plugin(label, module, parameters, plugins.files(folder, module, parameters))
    return found
