"""The catalogue of published data sets: where their files can be had, and what must be in them."""

import importlib.util
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cascurve import plugins
from cascurve.errors import ConfigError, DataError, UnknownNameError
from cascurve.study import schema, yaml_file

PROJECT = Path(__file__).resolve().parents[3]
SHIPPED = PROJECT / "resources" / "datasets.yaml"
SCHEMA = PROJECT / "workflow" / "schemas" / "datasets.schema.yaml"
FOLDER = "resources"
"""Files of a set stand in ``resources/<set>/``, below the folder that a study runs in."""


@dataclass(frozen=True)
class Remote:
    """A file at its publisher's: `size` in bytes and `sha256` where they are known."""

    url: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Published:
    """One set of the catalogue; the fields are described in schemas/datasets.schema.yaml."""

    name: str
    page: str
    licence: str
    format: str
    cascades: Mapping[str, str]
    files: Mapping[str, Mapping[str, Any]]
    graph: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    expected: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    note: str = ""

    def path(self, file: str) -> str:
        """Where a file of the set stands."""
        return f"{FOLDER}/{self.name}/{file}"

    def remotes(self, base: Path, where: str) -> dict[str, Remote]:
        """Path -> source of each file that is not there yet.

        Raises
        ------
        ConfigError : a file is missing that has to be fetched by hand; `where` is the key that names the set.
        """
        missing = [name for name in self.files if not (base / self.path(name)).is_file()]
        by_hand = [self.path(name) for name in missing if "url" not in self.files[name]]
        if by_hand:
            remedy = f"fetch them by hand from {self.page} (licence: {self.licence})"
            raise ConfigError(where, self.name, f"the files {', '.join(by_hand)}", remedy)
        return {self.path(name): Remote(**self.files[name]) for name in missing}


def require_http_plugin(files: Iterable[str]) -> None:
    """Check that files can be downloaded.

    Raises
    ------
    DataError : the Snakemake plugin for it is not installed; the message lists the files.
    """
    if importlib.util.find_spec("snakemake_storage_plugin_http") is None:
        remedy = "run: .venv/bin/python -m pip install --constraint constraints.txt '.[download]'"
        raise DataError(f"to download {', '.join(files)}, Snakemake needs its HTTP plugin", remedy=remedy)


def published(name: str, catalogue: Path, where: str) -> Published:
    """A set of a catalogue.

    Raises
    ------
    UnknownNameError, ConfigError, DataError : no such set; a catalogue that does not hold what it should.
    """
    sets = _read(catalogue, os.stat(catalogue).st_mtime_ns) if catalogue.is_file() else None
    if sets is None:
        raise DataError("there is no such catalogue of data sets", file=catalogue, remedy="correct the key 'catalogue'")
    if name not in sets:
        known = ", ".join(sorted(sets))
        raise ConfigError(where, name, f"a set of {catalogue.name}: {known}")
    return sets[name]


@cache
def _read(path: Path, _: int) -> dict[str, Published]:
    raw = yaml_file.read(path, "catalogue")
    try:
        schema.check(raw, yaml_file.read(SCHEMA, "schema"))
        return {name: _checked(Published(name, **entry)) for name, entry in raw.items()}
    except (ConfigError, UnknownNameError) as error:
        raise DataError(str(error), file=path) from None


def _checked(entry: Published) -> Published:
    plugins.require("formats", entry.format, f"{entry.name}.format")
    plugins.check_parameters("formats", entry.format, entry.options, f"{entry.name}.options")
    for key, file in [*((f"cascades.{part}", name) for part, name in entry.cascades.items()), ("graph", entry.graph)]:
        if file is not None and file not in entry.files:
            raise ConfigError(f"{entry.name}.{key}", file, f"one of the set's files {', '.join(entry.files)}")
    return entry
