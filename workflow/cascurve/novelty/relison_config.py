"""RELISON's YAML of metrics: which metrics of novelty, at which cutoffs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from cascurve import plugins
from cascurve.errors import ConfigError, DataError

ELSEWHERE = ("Precision", "Recall", "MAP", "nDCG", "Community recall", "ERRIA")
"""RELISON's other metrics of recommendations: of accuracy (`cascurve score` has them) and of communities."""

TYPES = {"int": int, "long": int, "double": float, "boolean": bool, "string": str}


@dataclass(frozen=True)
class Wanted:
    """One metric of the file: its name there, its module, parameters, and cutoffs (None: whole lists)."""

    name: str
    module: str
    parameters: Mapping[str, Any]
    cutoffs: tuple[int | None, ...]


def read_metrics(path: str | Path) -> tuple[list[Wanted], list[str]]:
    """(the metrics of novelty in a file, names of other metrics of RELISON, which are left out).

    A metric is named as in RELISON (``LTN``) or by its module (``long_tail``). Its parameters are given as there,
    ``cutoff: {type: int, values: [1, 5, 10]}``, ``values: 5`` or ``range: [{start: 5, end: 20, step: 5}]`` with its
    end included, or plainly, ``reading: formula``. Other sections of the file (``algorithms``) do not matter.

    Raises
    ------
    DataError : the file cannot be read, or is not YAML.
    ConfigError : names the key of what is unknown or has a wrong value.
    """
    metrics = _load(path).get("metrics")
    if not isinstance(metrics, dict) or not metrics:
        raise ConfigError("metrics", metrics, "names of metrics, each with its parameters", "see docs/novelty.md")
    modules = {plugins.load("novelty", name).NAME: name for name in plugins.names("novelty")}
    others = [name for name in metrics if name in ELSEWHERE]
    return [_wanted(name, given, modules) for name, given in metrics.items() if name not in ELSEWHERE], others


def _load(path: str | Path) -> dict[str, Any]:
    try:
        raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=path, remedy="check the path") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        remedy = "correct it; YAML takes no tabs for indentation"
        raise DataError("not a YAML file", file=path, line=line, remedy=remedy) from None
    if not isinstance(raw, dict):
        raise DataError(f"expected a key 'metrics', found {raw!r:.60}", file=path)
    return raw


def _wanted(name: str, given: Any, modules: Mapping[str, str]) -> Wanted:
    where = f"metrics.{name}"
    module = modules.get(name, name)
    if module not in modules.values():
        known = ", ".join(f"{label} ({name})" for label, name in modules.items())
        raise ConfigError(where, given, f"a metric of novelty; there are {known}", "correct its name")
    if not isinstance(given, dict | None):
        raise ConfigError(where, given, "parameters by name, such as cutoff")
    cutoffs: tuple[int | None, ...] = (None,)
    parameters = {}
    for key, entry in (given or {}).items():
        values = list(_values(entry, f"{where}.{key}"))
        if key == "cutoff":
            for value in values:
                if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                    raise ConfigError(f"{where}.cutoff", value, "whole numbers of ranks >= 1")
            cutoffs = tuple(dict.fromkeys(values))
        elif len(values) != 1:
            raise ConfigError(f"{where}.{key}", values, "one value", "give the metric's other readings in other runs")
        else:
            parameters[key] = values[0]
    possible = plugins.parameters("novelty", module)
    for key, value in parameters.items():
        if key not in possible:
            allowed = ", ".join(sorted({"cutoff", *possible}))
            raise ConfigError(f"{where}.{key}", value, f"a parameter of {name}: {allowed}")
    plugins.check_parameters("novelty", module, parameters, where)
    return Wanted(name, module, parameters, cutoffs)


def _values(entry: Any, where: str) -> Iterator[Any]:
    """The values of a parameter: a plain one, or those of RELISON's type, values and range."""
    if not isinstance(entry, dict):
        yield from entry if isinstance(entry, list) else [entry]
        return
    unknown = sorted(set(entry) - {"type", "values", "range"})
    if unknown or not {"values", "range"} & set(entry):
        raise ConfigError(where, entry, "keys type, and values or range")
    kind = entry.get("type", "int")
    if kind not in TYPES:
        raise ConfigError(f"{where}.type", kind, f"one of {', '.join(TYPES)}")
    listed = entry.get("values", [])
    found = list(listed) if isinstance(listed, list) else [listed]
    for span in entry.get("range", []):
        found += _range(span, f"{where}.range")
    if not found:
        raise ConfigError(where, entry, "at least one value")
    for value in found:
        wanted = (int, float) if kind == "double" else TYPES[kind]
        if not isinstance(value, wanted) or (isinstance(value, bool) and kind != "boolean"):
            raise ConfigError(where, value, f"values of type {kind}")
        yield value


def _range(span: Any, where: str) -> list[int]:
    """From start to end, both included."""
    if not isinstance(span, dict) or set(span) != {"start", "end", "step"}:
        raise ConfigError(where, span, "a list of entries with start, end and step")
    start, end, step = (span[key] for key in ("start", "end", "step"))
    if not all(isinstance(number, int) for number in (start, end, step)) or step < 1 or end < start:
        raise ConfigError(where, span, "whole numbers with start <= end and step >= 1")
    return list(range(start, end + 1, step))
