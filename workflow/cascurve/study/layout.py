"""Where a study's files stand. Patterns carry Snakemake's wildcards; a cell's coordinates are Hive partitions."""

import os
import re
from dataclasses import dataclass
from functools import cached_property

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.study import grid
from cascurve.study.config import Study

NETWORK = "topology={topology}/n={n}/degree={degree}/replicate={replicate}"
SYNTHETIC = "topology={topology}/n={n}/degree={degree}/mechanism={mechanism}/replicate={replicate}"
EMPIRICAL = "dataset={dataset}/replicate={replicate}"
GRADED = "dataset={dataset}/grade={grade}/replicate={replicate}"
CHUNK = "lengths={lengths}"


def parse_shard(text: str) -> tuple[int, int]:
    """``"2/4"`` -> (2, 4): the second of four shares of a study."""
    match = re.fullmatch(r"(\d+)/(\d+)", str(text))
    part, parts = map(int, match.groups()) if match else (0, 0)
    if not 1 <= part <= parts:
        raise ConfigError("shard", text, "a share such as 2/4, the second of four")
    return part, parts


@dataclass(frozen=True)
class Layout:
    """Paths of one study below `root`."""

    study: Study
    root: str = "results"

    @property
    def results(self) -> str:
        """The study's folder."""
        return f"{self.root}/{self.study.name}"

    @cached_property
    def lengths(self) -> dict[str, tuple[int, ...]]:
        """Data (Hive path) -> lengths of the study."""
        return {data.path: data.lengths for data in grid.data(self.study)}

    def data_folders(self, data: str) -> list[str]:
        """The chunks of `data` that cover its lengths, as ``<data>/lengths=<chunk>``."""
        return self._cover(f"cascades/{data}", data, None)

    def model_folders(self, data: str, model: str) -> list[str]:
        """The chunks of a model on `data`, as ``<data>/model=<model>/lengths=<chunk>``."""
        return self._cover(f"rankings/{data}/model={model}", data, model)

    def rank_inputs(self, data: str, model: str, lengths: str) -> dict[str, str | list[str]]:
        """What a rank job reads, by the names of its rule."""
        plugin = self.study.models[model]
        inputs: dict[str, str | list[str]] = {"cascades": self.cascades_of(data, lengths), "files": list(plugin.files)}
        if "network" in plugins.needs("models", plugin.module):
            inputs["network"] = self.network_of(data)
        return inputs

    def score_inputs(self, data: str, lengths: str) -> dict[str, list[str]]:
        """What a score job reads, by the names of its rule."""
        return {"cascades": self.cascades_of(data, lengths), "rankings": self.rankings_of(data, lengths)}

    def rankings_of(self, data: str, lengths: str) -> list[str]:
        """Rankings of each rank job that holds any of a chunk of lengths of `data`.

        Rankings of models that have left the study stay in the list, so that a removed model reruns nothing.
        """
        wanted = grid.parse_lengths(lengths)
        folders = [folder for model in self.study.models for folder in self.model_folders(data, model)]
        folders += self._left_models(data)
        names = [folder for folder in folders if grid.covering(wanted, [folder.rpartition("lengths=")[2]])]
        return [f"{self.results}/rankings/{folder}/rankings.parquet" for folder in names]

    def cascades_of(self, data: str, lengths: str) -> list[str]:
        """Cascade files that hold a chunk of lengths of `data`."""
        chunks = [folder.rpartition("lengths=")[2] for folder in self.data_folders(data)]
        names = grid.covering(grid.parse_lengths(lengths), chunks) or [lengths]
        return [f"{self.results}/cascades/{data}/lengths={chunk}/cascades.parquet" for chunk in names]

    def figure_inputs(self, figure: str) -> dict[str, str]:
        """What a figure job reads besides points and fits, by the names in the figure's ``NEEDS``."""
        names = plugins.needs("figures", self.study.figures[figure].module)
        endings = {"comparisons": "jsonl"}
        return {name: f"{self.results}/{name}.{endings.get(name, 'parquet')}" for name in names}

    def tables(self, stage: str, file: str) -> list[str]:
        """One file of a stage for every data × chunk that the stage looks at."""
        folders = (folder for data in self.lengths if self._has(stage, data) for folder in self.data_folders(data))
        return [f"{self.results}/{stage}/{folder}/{file}" for folder in folders]

    def network_of(self, data: str) -> str:
        """The network that `data` spread on."""
        parts = [part for part in data.split("/") if not part.startswith("mechanism=")]
        folder = parts[0] if parts[0].startswith("dataset=") else "/".join(parts)
        stage = "imported" if folder.startswith("dataset=") else "networks"
        return f"{self.results}/{stage}/{folder}/network.parquet"

    def shard(self, part: int, parts: int) -> list[str]:
        """The tables of one of several equal shares of the data; all that share a network are together."""
        networks = list(dict.fromkeys(map(self.network_of, self.lengths)))
        mine = set(networks[part - 1 :: parts])
        chosen = [data for data in self.lengths if self.network_of(data) in mine]
        stages = {"difficulty": "difficulty", "scores": "scores", "novelty": "novelty", "timeaware": "windows"}
        return [
            f"{self.results}/{stage}/{folder}/{file}.parquet"
            for stage, file in stages.items()
            for data in chosen
            if self._has(stage, data)
            for folder in self.data_folders(data)
        ]

    def _has(self, stage: str, data: str) -> bool:
        """Whether the study has a stage that it may leave out, for these data."""
        if stage == "timeaware":
            return self.study.timeaware is not None and self.study.timeaware.covers(data)
        return stage != "novelty" or self.study.novelty is not None

    def _left_models(self, data: str) -> list[str]:
        """Finished chunks of models that are no longer in the study, as ``<data>/model=<model>/lengths=<chunk>``."""
        stem = f"{self.results}/rankings"
        models = sorted(set(_folders(f"{stem}/{data}", "model=")) - set(self.study.models))
        parts = [f"{data}/model={model}" for model in models]
        made = [f"{part}/lengths={chunk}" for part in parts for chunk in sorted(_folders(f"{stem}/{part}", "lengths="))]
        return [folder for folder in made if os.path.exists(f"{stem}/{folder}/rankings.parquet")]

    def _cover(self, folder: str, data: str, model: str | None) -> list[str]:
        if folder not in self._covers:  # asked for several times by every job
            self._covers[folder] = self._find_cover(folder, data, model)
        return self._covers[folder]

    @cached_property
    def _covers(self) -> dict[str, list[str]]:
        return {}

    def _find_cover(self, folder: str, data: str, model: str | None) -> list[str]:
        own = _folders(f"{self.results}/{folder}", "lengths=")
        others = [name for results in self._others for name in _folders(f"{results}/{folder}", "lengths=")]
        names = grid.chunks(self.lengths.get(data, ()), self.study.per_job(model), own, others)
        stem = folder.partition("/")[2]
        return [f"{stem}/lengths={chunk}" for chunk in names]

    @cached_property
    def _others(self) -> list[str]:
        """Folders of the other studies."""
        return sorted(f"{self.root}/{name}" for name in _folders(self.root, "") if name != self.study.name)


def _folders(place: str, start: str) -> list[str]:
    """What follows `start` in the names of the folders in `place` that begin with it; none where `place` is missing."""
    try:
        with os.scandir(place) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(start) and entry.is_dir()]
    except FileNotFoundError:
        return []
    return [name.removeprefix(start) for name in names]
