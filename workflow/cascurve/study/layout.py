"""Where a study's files stand. Patterns carry Snakemake's wildcards; a cell's coordinates are Hive partitions."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cascurve.study import grid
from cascurve.study.config import Study

NETWORK = "topology={topology}/n={n}/degree={degree}/replicate={replicate}"
SYNTHETIC = "topology={topology}/n={n}/degree={degree}/mechanism={mechanism}/replicate={replicate}"
EMPIRICAL = "dataset={dataset}/replicate={replicate}"
CHUNK = "lengths={lengths}"


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

    def cascades_of(self, data: str, lengths: str) -> list[str]:
        """Cascade files that hold a chunk of lengths of `data`."""
        chunks = [folder.rpartition("lengths=")[2] for folder in self.data_folders(data)]
        names = grid.covering(grid.parse_lengths(lengths), chunks) or [lengths]
        return [f"{self.results}/cascades/{data}/lengths={chunk}/cascades.parquet" for chunk in names]

    def difficulties(self) -> list[str]:
        """All difficulty tables."""
        folders = (folder for data in self.lengths for folder in self.data_folders(data))
        return [f"{self.results}/difficulty/{folder}/difficulty.parquet" for folder in folders]

    def model_tables(self, stage: str, file: str) -> list[str]:
        """One file of a stage for every data × model × chunk."""
        folders = (folder for data in self.lengths for m in self.study.models for folder in self.model_folders(data, m))
        return [f"{self.results}/{stage}/{folder}/{file}" for folder in folders]

    def network_of(self, data: str) -> str:
        """The network that `data` spread on."""
        parts = [part for part in data.split("/") if not part.startswith("mechanism=")]
        folder = parts[0] if parts[0].startswith("dataset=") else "/".join(parts)
        stage = "imported" if folder.startswith("dataset=") else "networks"
        return f"{self.results}/{stage}/{folder}/network.parquet"

    def _cover(self, folder: str, data: str, model: str | None) -> list[str]:
        names = grid.chunks(self.lengths.get(data, ()), self.study.per_job(model), Path(self.results, folder))
        stem = folder.partition("/")[2]
        return [f"{stem}/lengths={chunk}" for chunk in names]
