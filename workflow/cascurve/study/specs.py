"""What each rule's jobs depend on besides their input files, as one canonical JSON string per job.

Every method returns the string for one rule. It holds the values that the rule uses, and no others: a key of
the configuration that a rule does not use cannot rerun it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cascurve import provenance
from cascurve.plugins import module_name
from cascurve.study.config import Study, Synthetic
from cascurve.study.entries import Plugin
from cascurve.study.grid import data, parse_lengths

DIFFICULTY = "apce"
"""The measure on the x axis."""

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
                return self._grid.topologies[wildcards["topology"]].module
            case "cascades":
                return self._grid.mechanisms[wildcards["mechanism"]].module
            case "import_cascades":
                return self.study.empirical[wildcards["dataset"]].format
            case "difficulty":
                return DIFFICULTY
            case "rank":
                return self.study.models[wildcards["model"]].module
            case "figure":
                return self.study.figures[wildcards["figure"]].module
        return ""

    def network(self, wildcards: Any) -> str:
        """One network; mechanisms and lengths do not matter."""
        plugin = self._grid.topologies[wildcards.topology]
        place = _pick(wildcards, "topology", "n", "degree", "replicate")
        return self._plugin_spec("network", "networks", plugin, libraries=(*COMPILED, "networkx"), **place)

    def cascades(self, wildcards: Any) -> str:
        """The cascades of one network × mechanism × replicate for a chunk of lengths."""
        plugin = self._grid.mechanisms[wildcards.mechanism]
        values: dict[str, Any] = _pick(wildcards, "topology", "n", "degree", "mechanism", "replicate")
        values |= {key: getattr(self._grid, key) for key in ("sources", "n_train", "n_test", "min_reach")}
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
        """Fit and ranking of one model; measures do not matter."""
        plugin = self.study.models[wildcards.model]
        values: dict[str, Any] = _pick(wildcards, "data", "model")
        values |= {"lengths": parse_lengths(wildcards.lengths)}
        return self._plugin_spec("rank", "models", plugin, libraries=COMPILED, **values)

    def score(self, wildcards: Any) -> str:
        """Per-cascade scores; how the model was fitted shows in its rankings."""
        modules = [module_name("metrics", name) for name in _modules(self.study.measures)]
        lengths = parse_lengths(wildcards.lengths)
        return self._spec("score", modules, COMPILED, measures=_uses(self.study.measures), lengths=lengths)

    def points(self) -> str:
        """One row per cell and model."""
        grid = [(item.path, item.lengths) for item in data(self.study)]
        return self._spec("points", libraries=("numpy",), grid=grid, models=list(self.study.models))

    def curves(self) -> str:
        """Fits, nulls and comparisons."""
        return self._spec("curves", ["cascurve.curves.exp3"], ("numpy", "scipy"), x=self.study.x)

    def figure(self, wildcards: Any) -> str:
        """One figure."""
        figure = self.study.figures[wildcards.figure]
        return self._plugin_spec("figure", "figures", figure, libraries=("numpy", "matplotlib", "seaborn"))

    def report(self) -> str:
        """The page; it shows the whole configuration and the versions of the libraries."""
        sources = {name: dict(entry.source) for name, entry in self.study.empirical.items()}
        titles = {label: plugin.module for label, plugin in self.study.figures.items()}
        return self._spec(
            "report", libraries=provenance.LIBRARIES, study=self.study.raw, figures=titles, sources=sources
        )

    @property
    def _grid(self) -> Synthetic:
        assert self.study.synthetic is not None
        return self.study.synthetic

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


def _uses(plugins: Mapping[str, Plugin]) -> dict[str, dict[str, Any]]:
    return {label: {"use": plugin.module, **plugin.parameters} for label, plugin in plugins.items()}


def _modules(plugins: Mapping[str, Plugin]) -> list[str]:
    return sorted({plugin.module for plugin in plugins.values()})
