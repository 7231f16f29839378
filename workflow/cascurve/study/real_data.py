"""The empirical half of a study: which files a real data set has, and what is done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.study import catalogue
from cascurve.study.catalogue import Published, Remote

OF_SETS = ("format", "cascades", "graph")
"""Keys that a published set answers."""


@dataclass(frozen=True)
class Empirical:
    """One real data set of a study; fields without a description are the configuration's keys.

    Attributes
    ----------
    downloads : path -> source of each file that is not there yet.
    source : page, licence and note of a published set.
    """

    name: str
    format: str
    cascades: Mapping[str, str]
    graph: str | None
    options: Mapping[str, Any]
    lengths: tuple[int, ...]
    expected: Mapping[str, Mapping[str, int]]
    prepare: Mapping[str, Any]
    subsample: Mapping[str, Any]
    downloads: Mapping[str, Remote] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """All input files, the cascade files first."""
        return [*self.cascades.values(), *([self.graph] if self.graph else [])]


def read(name: str, raw: Mapping[str, Any], base: Path, sets: Path) -> Empirical:
    """A checked entry of the key `empirical`.

    Parameters
    ----------
    base : folder that relative input paths start from.
    sets : the catalogue of published sets.

    Raises
    ------
    ConfigError, UnknownNameError, DataError : naming the key, the value and what is allowed.
    """
    where = f"empirical.{name}"
    downloads: dict[str, Remote] = {}
    source: dict[str, str] = {}
    entry = dict(raw)
    if "set" in raw:
        given = [key for key in OF_SETS if raw.get(key)]
        if given:
            raise ConfigError(f"{where}.{given[0]}", raw[given[0]], f"no value, since the set '{raw['set']}' has one")
        chosen = catalogue.published(raw["set"], sets, f"{where}.set")
        downloads = chosen.remotes(base, f"{where}.set")
        source = {"set": chosen.name, "page": chosen.page, "licence": chosen.licence, "note": chosen.note}
        entry |= _of(chosen) | {"options": {**chosen.options, **raw["options"]}}
        entry["expected"] = {**chosen.expected, **raw["expected"]}
    plugins.require("formats", entry["format"], f"{where}.format")
    plugins.check_parameters("formats", entry["format"], entry["options"], f"{where}.options")
    for key in ("prepare", "subsample"):
        plugins.check_parameters("empirical", key, entry[key], f"{where}.{key}")
    files = {f"cascades.{part}": path for part, path in entry["cascades"].items()}
    files |= {"graph": entry["graph"]} if entry["graph"] else {}
    for key, path in files.items():
        if path not in downloads and not (base / path).is_file():
            raise ConfigError(f"{where}.{key}", path, f"an existing file (looked for {base / path})")
    values = {key: entry[key] for key in (*OF_SETS, "options", "expected", "prepare", "subsample")}
    return Empirical(name, lengths=tuple(sorted(entry["lengths"])), downloads=downloads, source=source, **values)


def _of(chosen: Published) -> dict[str, Any]:
    return {
        "format": chosen.format,
        "cascades": {part: chosen.path(file) for part, file in chosen.cascades.items()},
        "graph": chosen.path(chosen.graph) if chosen.graph else None,
    }
