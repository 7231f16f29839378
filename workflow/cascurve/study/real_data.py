"""The empirical half of a study: which files a real data set has, and what is done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cascurve import plugins
from cascurve.errors import ConfigError, DataError
from cascurve.study import catalogue, entries
from cascurve.study.catalogue import Published, Remote
from cascurve.study.entries import Plugin

AUTO = "auto"
"""A format that is to be found out, as one that is left out."""
OF_SETS = ("format", "cascades", "graph")
"""Keys that a published set answers."""
RANGE = ("from", "to", "levels", "measure")
"""Keys of a grading that are not parameters of its method."""
LONE_TOLERANCE = 0.01
"""How far the difficulty of a single level may be from its target; of several, a quarter of their distance."""


@dataclass(frozen=True)
class Empirical:
    """One real data set of a study; fields without a description are the configuration's keys.

    Attributes
    ----------
    downloads : path -> source of each file that is not there yet.
    source : page, licence and note of a published set; of a format that was found out, why it is this one.
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
    graded: Mapping[str, Plugin]
    downloads: Mapping[str, Remote] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)

    @property
    def grades(self) -> tuple[str, ...]:
        """Names of the grades, such as ``swap-3``, the third level of the entry `swap`; none without a grading."""
        levels = ((label, plugin.parameters["levels"]) for label, plugin in self.graded.items())
        return tuple(f"{label}-{level}" for label, count in levels for level in range(1, count + 1))

    def grade(self, name: str) -> dict[str, Any]:
        """What a job needs for one grade: label, module, parameters of the method, measure, target and tolerance."""
        label, _, level = name.rpartition("-")
        plugin = self.graded[label]
        parameters = dict(plugin.parameters)
        low, high, levels, measure = (parameters.pop(key) for key in RANGE)
        step = (high - low) / max(levels - 1, 1)
        return {
            "label": label,
            "module": plugin.module,
            "parameters": parameters,
            "measure": measure,
            "target": low + step * (int(level) - 1),
            "tolerance": step / 4 if levels > 1 else LONE_TOLERANCE,
        }

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
    entry = {key: value for key, value in raw.items() if (key, value) != ("format", AUTO)}
    if "set" in entry:
        given = [key for key in OF_SETS if entry.get(key)]
        if given:
            raise ConfigError(f"{where}.{given[0]}", raw[given[0]], f"no value, since the set '{raw['set']}' has one")
        chosen = catalogue.published(raw["set"], sets, f"{where}.set")
        downloads = chosen.remotes(base, f"{where}.set")
        source = {"set": chosen.name, "page": chosen.page, "licence": chosen.licence, "note": chosen.note}
        entry |= _of(chosen) | {"options": {**chosen.options, **raw["options"]}}
        entry["expected"] = {**chosen.expected, **raw["expected"]}
    for key in ("prepare", "subsample"):
        plugins.check_parameters("empirical", key, entry[key], f"{where}.{key}")
    files = {f"cascades.{part}": path for part, path in entry["cascades"].items()}
    files |= {"graph": entry["graph"]} if entry["graph"] else {}
    for key, path in files.items():
        if path not in downloads and not (base / path).is_file():
            raise ConfigError(f"{where}.{key}", path, f"an existing file (looked for {base / path})")
    if "format" not in entry:
        entry["format"], source["format"] = _found_out(entry["cascades"], base, f"{where}.format")
    plugins.require("formats", entry["format"], f"{where}.format")
    plugins.check_parameters("formats", entry["format"], entry["options"], f"{where}.options")
    graded = _graded(entry["graded"], f"{where}.graded")
    values = {key: entry[key] for key in (*OF_SETS, "options", "expected", "prepare", "subsample")}
    lengths = tuple(sorted(entry["lengths"]))
    return Empirical(name, lengths=lengths, graded=graded, downloads=downloads, source=source, **values)


def _found_out(cascades: Mapping[str, str], base: Path, key: str) -> tuple[str, str]:
    """The format of the cascade files, and the sentence that says why. Raises `ConfigError` where it cannot be told."""
    from cascurve.formats.detection import detect_parts

    try:
        found = detect_parts({part: base / path for part, path in cascades.items()})
    except DataError as error:
        raise ConfigError(key, AUTO, "a name, since the format cannot be found out", str(error)) from None
    return found.format, f"{found.format}, found out from {next(iter(cascades.values()))} ({found.reason})"


def _graded(raw: Mapping[str, Mapping[str, Any]], where: str) -> dict[str, Plugin]:
    """The gradings, by label; their parameters hold the keys of `RANGE` too."""
    own = {label: {key: value for key, value in entry.items() if key not in RANGE} for label, entry in raw.items()}
    checked = entries.read("empirical/graded", own, where)
    for label, entry in raw.items():
        if entry["from"] > entry["to"]:
            raise ConfigError(f"{where}.{label}.from", entry["from"], f"at most {entry['to']}, the value of 'to'")
    ranges = {
        label: {"measure": "apce_bayes"} | {key: entry[key] for key in RANGE if key in entry}
        for label, entry in raw.items()
    }
    return {
        label: replace(plugin, parameters={**plugin.parameters, **ranges[label]}) for label, plugin in checked.items()
    }


def _of(chosen: Published) -> dict[str, Any]:
    return {
        "format": chosen.format,
        "cascades": {part: chosen.path(file) for part, file in chosen.cascades.items()},
        "graph": chosen.path(chosen.graph) if chosen.graph else None,
    }
