"""What jobs cost: each writes it at the end of its log, and the costs of jobs to come are forecast from that."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.process import cpu_seconds, peak_mb
from cascurve.storage import parse_partition

SHIPPED = Path(__file__).resolve().parents[3] / "resources" / "costs.jsonl"
"""Costs measured on one machine over the paper's grid, one record a line as in the logs."""

MARK = '{"cost": '
LEAST_RECORDS = 5
"""A kind of job with fewer measurements of its own is forecast from the shipped ones too."""


@dataclass(frozen=True)
class Work:
    """The size of a job.

    Attributes
    ----------
    kind : rule and plug-in, such as ``rank/cdk``; jobs on a real data set are a kind of their own.
    n : size of the network; 0 on real data.
    lengths : cascade lengths that the job takes.
    inputs : number of its input files.
    """

    kind: str
    n: int = 0
    lengths: tuple[int, ...] = ()
    inputs: int = 0

    @classmethod
    def of(cls, rule: str, module: str, wildcards: Mapping[str, str], inputs: int) -> "Work":
        """The work of one job from its wildcards."""
        place = dict(wildcards) | parse_partition(wildcards.get("data", ""))
        parts = [rule, module, place.get("dataset", "")]
        lengths = tuple(map(int, filter(None, place.get("lengths", "").split("-"))))
        return cls("/".join(filter(None, parts)), int(place.get("n", 0)), lengths, inputs)

    def features(self) -> NDArray[np.float64]:
        """Sizes that the cost may grow with; shape (8,)."""
        count, total = len(self.lengths), sum(self.lengths)
        squares = sum(length**2 for length in self.lengths)
        sizes = [1, self.inputs, self.n, count, self.n * count, total, squares, self.inputs * count]
        return np.array(sizes, dtype=np.float64)


@dataclass(frozen=True)
class Cost:
    """Processor time and the part of it that start and imports took, in seconds; peak memory in MB; size of outputs."""

    cpu_seconds: float
    startup_seconds: float
    peak_mb: float
    bytes: float

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Cost":
        """The costs in a record of a log."""
        return cls(**{entry.name: record[entry.name] for entry in fields(cls)})


@dataclass(frozen=True)
class Forecast:
    """Costs to expect, from measured ones; a straight line in the sizes of a job with no negative slope."""

    records: tuple[tuple[Work, Cost], ...]
    own: tuple[tuple[Work, Cost], ...] = ()
    _known: dict[Work, Cost | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def load(cls, logs: Iterable[Path] = ()) -> "Forecast":
        """From the shipped measurements, and those in the logs of finished jobs."""
        shipped = tuple(read(SHIPPED)) if SHIPPED.is_file() else ()
        return cls(shipped, tuple(record for log in logs for record in read(log)))

    def cost(self, work: Work) -> Cost | None:
        """What a job of this size is expected to cost; None for a kind that nobody measured."""
        if work not in self._known:
            weights = self._weights(work.kind)
            values = None if weights is None else work.features() @ weights
            self._known[work] = None if values is None else Cost(*map(float, values))
        return self._known[work]

    def mem_mb(self, work: Work, attempt: int = 1) -> int:
        """Memory to ask for, with half as much again to spare, in whole 100 MB."""
        cost = self.cost(work)
        return attempt * (4000 if cost is None else max(500, 100 * math.ceil(1.5 * cost.peak_mb / 100)))

    def runtime(self, work: Work, attempt: int = 1) -> int:
        """Minutes to ask for: five times those expected, and at least ten."""
        cost = self.cost(work)
        return attempt * (240 if cost is None else max(10, math.ceil(5 * cost.cpu_seconds / 60)))

    def _weights(self, kind: str) -> NDArray[np.float64] | None:
        """Shape (8, 4): what one unit of each size costs; fitted to relative errors."""
        if kind not in self._fits:
            own = [record for record in self.own if record[0].kind == kind]
            shipped = [record for record in self.records if record[0].kind == kind]
            used = own if len(own) >= LEAST_RECORDS else own + shipped
            self._fits[kind] = _fit(used) if used else None
        return self._fits[kind]

    @cached_property
    def _fits(self) -> dict[str, NDArray[np.float64] | None]:
        return {}


def _fit(records: list[tuple[Work, Cost]]) -> NDArray[np.float64]:
    from scipy.optimize import nnls

    features = np.stack([work.features() for work, _ in records])
    measured = np.array([astuple(cost) for _, cost in records], dtype=np.float64)
    scaled = np.maximum(measured, 1e-3)
    return np.stack([nnls(features / column[:, None], np.ones(len(records)))[0] for column in scaled.T], axis=1)


def measure(work: Work, outputs: Iterable[str], *, startup: float, cold: bool) -> str:
    """The record of this process and its outputs, as one line.

    Parameters
    ----------
    startup : `cpu_seconds` when the job's own work began.
    cold : whether kernels were compiled in it.
    """
    size = sum(os.path.getsize(path) for path in outputs)
    cost = Cost(round(cpu_seconds(), 3), round(startup, 3), round(peak_mb(), 1), size)
    return json.dumps({"cost": asdict(work) | asdict(cost) | {"cold": cold}})


def read(file: Path) -> Iterator[tuple[Work, Cost]]:
    """The measured costs in a log or a table of such lines, but for those that include compiling."""
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(MARK):
            try:
                record: dict[str, Any] = json.loads(line)["cost"]
                work = Work(record["kind"], record["n"], tuple(record["lengths"]), record["inputs"])
                cost = Cost.of(record)
            except (ValueError, KeyError, TypeError):  # cut off with its job
                continue
            if not record["cold"]:
                yield work, cost
