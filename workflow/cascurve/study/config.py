"""A study: its configuration, checked and typed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.selection.measures import BLIND
from cascurve.study import catalogue, entries, real_data, selection, timeaware
from cascurve.study.catalogue import Remote
from cascurve.study.entries import Plugin
from cascurve.study.real_data import Empirical
from cascurve.study.schema import check, schema, with_defaults

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
class Novelty:
    """Metrics of novelty of a study, and the ranks that they look at."""

    metrics: Mapping[str, Plugin]
    cutoffs: tuple[int, ...]


@dataclass(frozen=True)
class Study:
    """A checked study.

    Attributes
    ----------
    synthetic, regimes : the grid, and those that stand beside it; the topologies of a regime are called
        ``topology@regime``.
    absent : optional real data sets that are left out, and the file that each lacks.
    raw : the configuration with its defaults filled in.
    """

    name: str
    seed: int
    replicates: int
    synthetic: Synthetic | None
    regimes: Mapping[str, Synthetic]
    empirical: Mapping[str, Empirical]
    absent: Mapping[str, str]
    models: Mapping[str, Plugin]
    measures: Mapping[str, Plugin]
    difficulty: Difficulty
    x: str
    figures: Mapping[str, Plugin]
    novelty: Novelty | None
    timeaware: timeaware.TimeAware | None
    selection: selection.Selection
    style: str
    reproduction: bool
    lengths_per_job: Mapping[str, int | str] | int | str
    tuning: Mapping[str, Any]
    cascades_per_source: Mapping[str, int]
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def downloads(self) -> dict[str, Remote]:
        """Path -> source of each file of a published set that is not there yet."""
        return {path: remote for entry in self.empirical.values() for path, remote in entry.downloads.items()}

    @property
    def found_out(self) -> list[str]:
        """Of each real data set whose format was not named, which it has and why."""
        return [
            f"{name}: {entry.source['format']}" for name, entry in self.empirical.items() if "format" in entry.source
        ]

    @property
    def grids(self) -> tuple[Synthetic, ...]:
        """The grid and its regimes."""
        return (*([self.synthetic] if self.synthetic else []), *self.regimes.values())

    def grid_of(self, topology: str) -> Synthetic:
        """The grid that a topology belongs to."""
        return next(grid for grid in self.grids if topology in grid.topologies)

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
    raw = with_defaults(config)
    check(raw, schema())
    synthetic = _synthetic(raw["synthetic"]) if "synthetic" in raw else None
    regimes = _regimes(raw["synthetic"]) if "synthetic" in raw else {}
    absent = _absent(raw.get("empirical", {}), base)
    given = {name: entry for name, entry in raw.get("empirical", {}).items() if name not in absent}
    sets = base / raw["catalogue"] if raw["catalogue"] else catalogue.SHIPPED
    empirical = {name: real_data.read(name, entry, base, sets) for name, entry in given.items()}
    models = entries.read("models", raw["models"], "models")
    for label, model in models.items():
        if synthetic is None and "mechanism" in plugins.needs("models", model.module):
            expected = (
                "a model that needs no mechanism; the study has real cascades only, and nobody knows how they spread"
            )
            raise ConfigError(f"models.{label}", model.module, expected, "take it out, or add a key 'synthetic'")
    measures = entries.read("metrics", {AVERAGE_PRECISION: {}} | raw["measures"] | _control(raw), "measures")
    difficulty = _difficulty(raw["difficulty"], raw["x"])
    figures = entries.read("figures", raw.get("figures") or _default_figures(raw), "figures")
    for label, plugin in figures.items():
        if "novelty" in plugins.needs("figures", plugin.module) and "novelty" not in raw:
            raise ConfigError(f"figures.{label}", plugin.module, "a figure of what the study has", "add a key novelty")
    return Study(
        name=raw["study"],
        seed=raw["seed"],
        replicates=raw["replicates"],
        synthetic=synthetic,
        regimes=regimes,
        empirical=empirical,
        absent=absent,
        models=models,
        measures=measures,
        difficulty=difficulty,
        x=raw["x"],
        figures=figures,
        novelty=_novelty(raw["novelty"]) if "novelty" in raw else None,
        timeaware=timeaware.read(raw["timeaware"], bool(empirical)) if raw.get("timeaware") else None,
        selection=_selection(raw, models, measures, base),
        style=raw["style"],
        reproduction=raw["reproduction"],
        lengths_per_job=raw["lengths_per_job"],
        tuning=_tuning(raw["tuning"], models),
        cascades_per_source=_by_model("cascades_per_source", raw["cascades_per_source"], models),
        raw=raw,
    )


def _regimes(raw: Mapping[str, Any]) -> dict[str, Synthetic]:
    """Further grids: the keys of `synthetic`, overridden, and topologies named after the regime."""
    found = {}
    for name, own in raw["regimes"].items():
        where = f"synthetic.regimes.{name}"
        whole = {key: value for key, value in raw.items() if key != "regimes"} | own
        check({"study": "regime", "seed": 0, "models": {"random": {}}, "synthetic": whole}, schema(), where)
        grid = _synthetic(whole, where)
        named = {f"{label}@{name}": replace(entry, label=f"{label}@{name}") for label, entry in grid.topologies.items()}
        found[name] = replace(grid, topologies=named)
    return found


def _synthetic(raw: Mapping[str, Any], where: str = "synthetic") -> Synthetic:
    synthetic = Synthetic(
        topologies=entries.read("networks", raw["topologies"], f"{where}.topologies"),
        mechanisms=entries.read("mechanisms", raw["mechanisms"], f"{where}.mechanisms"),
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
                f"{where}.lengths[{position}]",
                length,
                f"at most {limit}, the share longest = {synthetic.longest:g} of the largest N = {largest}",
                f"lower the length, or raise {where}.n or {where}.longest",
            )
    for position, degree in enumerate(synthetic.degree):
        if not re.fullmatch(r"[0-9.]+", f"{degree:g}") or float(f"{degree:g}") != degree:
            raise ConfigError(f"{where}.degree[{position}]", degree, "a number of at most six digits, 0.0001 or more")
        if degree > min(synthetic.n) - 1:
            raise ConfigError(
                f"{where}.degree[{position}]", degree, f"at most {min(synthetic.n) - 1}, the smallest N less one"
            )
    return synthetic


def _absent(raw: Mapping[str, Any], base: Path) -> dict[str, str]:
    """Optional data sets that lack a file, and which."""
    found = {}
    for name, entry in raw.items():
        files = [*entry.get("cascades", {}).values(), *([entry["graph"]] if entry["graph"] else [])]
        missing = [path for path in files if not (base / path).is_file()]
        if entry["optional"] and missing:
            found[name] = missing[0]
    return found


def _control(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The measure that knows no truth, where the study asks which measure picks the better model."""
    asked = raw["selection"].get("diffusion") or {}
    return {BLIND: raw["measures"].get(BLIND, {})} if asked.get("control") == BLIND else {}


def _tuning(raw: Mapping[str, Any], models: Mapping[str, Plugin]) -> Mapping[str, Any]:
    """Checked against the parameters of the models that are tuned."""
    for label, grid in _by_model("tuning.grids", raw["grids"], models).items():
        for key, values in grid.items():
            for value in values:
                tried = {**models[label].parameters, key: value}
                plugins.check_parameters("models", models[label].module, tried, f"tuning.grids.{label}")
    return raw


def _by_model(key: str, values: Mapping[str, Any], models: Mapping[str, Plugin]) -> Mapping[str, Any]:
    for label in values:
        if label not in models:
            raise ConfigError(f"{key}.{label}", values[label], f"a model of the study ({', '.join(models)})")
    return values


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


def _novelty(raw: Mapping[str, Any]) -> Novelty:
    return Novelty(entries.read("novelty", raw["metrics"], "novelty.metrics"), tuple(sorted(raw["cutoffs"])))


def _selection(
    raw: Mapping[str, Any], models: Mapping[str, Plugin], measures: Mapping[str, Plugin], base: Path
) -> selection.Selection:
    uses = {label: {"use": plugin.module, **plugin.parameters} for label, plugin in measures.items()}
    return selection.read(raw["selection"], {label: plugin.module for label, plugin in models.items()}, uses, base)


def _default_figures(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The paper's figures that the study has data for, and the curves and their bands by the study's difficulty."""
    names = [*(["fig2a", "fig2b"] if "synthetic" in raw else []), *(["figa3"] if "empirical" in raw else [])]
    shown: dict[str, dict[str, Any]] = {name: {} for name in names}
    shown |= {"curves": {"x": raw["x"]}}
    if "synthetic" in raw:
        shown |= {"bands": {"x": raw["x"]}, "difference": {}}
    return shown | ({"novelty_tradeoff": {}, "novelty_difficulty": {"x": raw["x"]}} if "novelty" in raw else {})
