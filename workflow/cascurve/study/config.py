"""A study: its configuration, checked and typed."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.study import catalogue, entries, real_data
from cascurve.study.catalogue import Remote
from cascurve.study.entries import Plugin
from cascurve.study.real_data import Empirical
from cascurve.study.schema import check, fill

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "config.schema.yaml"
AVERAGE_PRECISION = "average_precision"
APCE = ("apce", "apce_bayes", "apce_rel", "apce_pairs", "apce_zhang")
"""Columns of the points by which models may be compared without more measures; see disorder/apce.py."""


@dataclass(frozen=True)
class Synthetic:
    """The synthetic half of a study; field names are the configuration's keys."""

    topologies: Mapping[str, Plugin]
    n: tuple[int, ...]
    degree: tuple[float, ...]
    mechanisms: Mapping[str, Plugin]
    lengths: tuple[int, ...]
    longest: float
    sources: int | str
    n_train: int
    n_test: int
    min_reach: float

    def lengths_for(self, n: int) -> tuple[int, ...]:
        """Lengths that are run on networks of `n` nodes: those up to ``longest * n``."""
        return tuple(length for length in self.lengths if length <= self.longest * n + 1e-9)


@dataclass(frozen=True)
class Difficulty:
    """How a study measures difficulty.

    Attributes
    ----------
    part : the cascades it is measured on: train, test, or all.
    measures : further measures of disorder, by column of the points.
    parameters : of the pairwise comparison entropy.
    """

    part: str
    measures: Mapping[str, Plugin]
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Study:
    """A checked study; `raw` is the configuration with its defaults filled in."""

    name: str
    seed: int
    replicates: int
    synthetic: Synthetic | None
    empirical: Mapping[str, Empirical]
    models: Mapping[str, Plugin]
    measures: Mapping[str, Plugin]
    difficulty: Difficulty
    x: str
    figures: Mapping[str, Plugin]
    lengths_per_job: Mapping[str, int | str] | int | str
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def downloads(self) -> dict[str, Remote]:
        """Path -> source of each file of a published set that is not there yet."""
        return {path: remote for entry in self.empirical.values() for path, remote in entry.downloads.items()}

    def per_job(self, model: str | None = None) -> int | None:
        """Lengths per job of a model's jobs, or of the data's; None for all."""
        share = self.lengths_per_job
        if isinstance(share, Mapping):
            share = share.get(model or "data", "all")
        return None if isinstance(share, str) else share


def load(config: Mapping[str, Any], base: Path = Path()) -> Study:
    """Check a configuration and return the study.

    Parameters
    ----------
    config : the parsed YAML.
    base : folder that relative input paths start from.

    Raises
    ------
    ConfigError, UnknownNameError : naming the key, the value and what is allowed.
    """
    raw = _with_defaults(config)
    check(raw, schema())
    synthetic = _synthetic(raw["synthetic"]) if "synthetic" in raw else None
    sets = base / raw["catalogue"] if raw["catalogue"] else catalogue.SHIPPED
    empirical = {name: real_data.read(name, entry, base, sets) for name, entry in raw.get("empirical", {}).items()}
    models = entries.read("models", raw["models"], "models")
    measures = entries.read("metrics", {AVERAGE_PRECISION: {}} | raw["measures"], "measures")
    difficulty = _difficulty(raw["difficulty"], raw["x"])
    figures = entries.read("figures", raw.get("figures") or _default_figures(raw), "figures")
    return Study(
        name=raw["study"],
        seed=raw["seed"],
        replicates=raw["replicates"],
        synthetic=synthetic,
        empirical=empirical,
        models=models,
        measures=measures,
        difficulty=difficulty,
        x=raw["x"],
        figures=figures,
        lengths_per_job=raw["lengths_per_job"],
        raw=raw,
    )


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a study's configuration."""
    loaded: dict[str, Any] = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    return loaded


def _with_defaults(config: Mapping[str, Any]) -> dict[str, Any]:
    """A deep copy with the schema's defaults filled in."""
    raw: dict[str, Any] = json.loads(json.dumps(config, default=str))
    properties = schema()["properties"]
    fill(raw, properties)
    for key in ("synthetic", "difficulty"):
        if isinstance(raw.get(key), dict):
            fill(raw[key], properties[key]["properties"])
    if isinstance(raw.get("empirical"), dict):
        for entry in filter(lambda value: isinstance(value, dict), raw["empirical"].values()):
            fill(entry, properties["empirical"]["additionalProperties"]["properties"])
    return raw


def _synthetic(raw: Mapping[str, Any]) -> Synthetic:
    synthetic = Synthetic(
        topologies=entries.read("networks", raw["topologies"], "synthetic.topologies"),
        mechanisms=entries.read("mechanisms", raw["mechanisms"], "synthetic.mechanisms"),
        n=tuple(raw["n"]),
        degree=tuple(raw["degree"]),
        lengths=tuple(sorted(raw["lengths"])),
        **{key: raw[key] for key in ("longest", "sources", "n_train", "n_test", "min_reach")},
    )
    largest = max(synthetic.n)
    limit = int(synthetic.longest * largest + 1e-9)
    for position, length in enumerate(raw["lengths"]):
        if length > limit:
            raise ConfigError(
                f"synthetic.lengths[{position}]",
                length,
                f"at most {limit}, the share longest = {synthetic.longest:g} of the largest N = {largest}",
                "lower the length, or raise synthetic.n or synthetic.longest",
            )
    for position, degree in enumerate(synthetic.degree):
        if not re.fullmatch(r"[0-9.]+", f"{degree:g}") or float(f"{degree:g}") != degree:
            raise ConfigError(f"synthetic.degree[{position}]", degree, "a number of at most six digits, 0.0001 or more")
        if degree > min(synthetic.n) - 1:
            raise ConfigError(
                f"synthetic.degree[{position}]", degree, f"at most {min(synthetic.n) - 1}, the smallest N less one"
            )
    return synthetic


def _difficulty(raw: Mapping[str, Any], x: str) -> Difficulty:
    measures = entries.read("disorder", raw["measures"], "difficulty.measures")
    for label, plugin in measures.items():
        if plugin.module == "apce" or label.startswith("apce"):
            raise ConfigError(f"difficulty.measures.{label}", plugin.module, "another measure; apce is always there")
    parameters = {key: value for key, value in raw.items() if key not in ("part", "measures")}
    plugins.check_parameters("disorder", "apce", parameters, "difficulty")
    if x not in (*APCE, *measures):
        columns = ", ".join((*APCE, *measures))
        raise ConfigError("x", x, f"one of {columns}; others go into difficulty.measures first")
    return Difficulty(raw["part"], measures, parameters)


def _default_figures(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The paper's figures that the study has data for, and the curves by the study's difficulty."""
    names = [*(["fig2a", "fig2b"] if "synthetic" in raw else []), *(["figa3"] if "empirical" in raw else [])]
    shown: dict[str, dict[str, Any]] = {name: {} for name in names}
    return shown | {"curves": {"x": raw["x"]}}
