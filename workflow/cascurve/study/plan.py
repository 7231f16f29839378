"""What a run would do and cost, from the jobs of a dry run."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cascurve.study import grid
from cascurve.study.config import Study
from cascurve.study.costs import Cost, Forecast, Work

REASONS = (
    ("Missing output files", "not made yet"),
    ("Incomplete output files", "an earlier run was cut short"),
    ("Input files updated by another job", "follows from jobs above"),
    ("Set of input files has changed", "its set of input files changed"),
    ("Updated input files", "an input file changed"),
    ("Forced execution", "asked for"),
)

LONGEST_LIST = 60
"""Characters; of a longer list a plan tells only how many entries differ."""


@dataclass(frozen=True)
class Job:
    """One job of a dry run; `reason` is in Snakemake's words, `module` the plug-in that the job runs."""

    rule: str
    module: str
    wildcards: Mapping[str, str]
    inputs: int
    reason: str

    @property
    def work(self) -> Work:
        """The job's size."""
        return Work.of(self.rule, self.module, self.wildcards, self.inputs)

    def why(self) -> str:
        """Why the job would run, in a few words."""
        if "Params have changed" in self.reason:
            return "; ".join(changes(self.reason)) or "its parameters changed"
        return next((words for start, words in REASONS if start in self.reason), self.reason or "no reason given")


@dataclass(frozen=True)
class Plan:
    """Jobs that would run, with the costs that are expected of them."""

    study: Study
    jobs: Sequence[Job]
    forecast: Forecast = field(repr=False)

    def cells(self) -> list[tuple[str, int, str]]:
        """All cells of the study: data, length, model."""
        return [
            (data.path, length, model)
            for data in grid.data(self.study)
            for length in data.lengths
            for model in self.study.models
        ]

    def pending(self) -> dict[tuple[str, int, str], str]:
        """Cells that would be trained and ranked, each with its reason."""
        found: dict[tuple[str, int, str], str] = {}
        for job in self.jobs:
            if job.rule == "rank":
                data, model = job.wildcards["data"], job.wildcards["model"]
                found |= {(data, length, model): job.why() for length in grid.parse_lengths(job.wildcards["lengths"])}
        return {cell: found[cell] for cell in self.cells() if cell in found}

    def by_kind(self) -> list[dict[str, Any]]:
        """Per kind of job: number, CPU hours, disk, the longest job, and jobs of which nothing is known."""
        groups: dict[str, list[Cost | None]] = {}
        for job in self.jobs:
            groups.setdefault(job.work.kind, []).append(self.forecast.cost(job.work))
        return [_total(kind, costs) for kind, costs in groups.items()]

    def reasons(self) -> list[tuple[int, str, str]]:
        """Number of jobs, rule with its model, and reason; the largest groups first."""
        labels = Counter((_label(job), job.why()) for job in self.jobs)
        return [(count, label, why) for (label, why), count in labels.most_common()]


def changes(reason: str) -> list[str]:
    """What differs between the specs that Snakemake names in its reason: ``"parameters.dimension: 16 → 8"``."""
    found = re.search(r"before: (.*?) now: (.*?)\s*$", reason, re.DOTALL)
    if found is None:
        return []
    before, now = (dict(_leaves(_spec(text))) for text in found.groups())
    keys = [key for key in (*before, *(key for key in now if key not in before)) if before.get(key) != now.get(key)]
    return [_change(key, before, now) for key in dict.fromkeys(keys)]


def _change(key: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    if key == "code":
        return "its code, or code that it imports, changed"
    old, new = before.get(key), now.get(key)
    if isinstance(old, list) and isinstance(new, list) and len(str(new)) > LONGEST_LIST:
        return f"{key}: {sum(entry not in old for entry in new)} of {len(new)} entries are new or differ"
    return f"{key}: {_shown(before, key)} → {_shown(now, key)}"


def _spec(text: str) -> dict[str, Any]:
    try:
        spec: dict[str, Any] = json.loads(ast.literal_eval(text.split("', '", maxsplit=1)[0].rstrip("'") + "'"))
    except (SyntaxError, ValueError):
        return {}
    return spec


def _leaves(value: Mapping[str, Any], stem: str = "") -> Iterator[tuple[str, Any]]:
    for key, entry in value.items():
        if isinstance(entry, Mapping):
            yield from _leaves(entry, f"{stem}{key}.")
        else:
            yield f"{stem}{key}", entry


def _shown(leaves: Mapping[str, Any], key: str) -> str:
    return str(leaves[key]) if key in leaves else "none"


def _label(job: Job) -> str:
    return " ".join([job.rule, *(job.wildcards[key] for key in ("model", "figure") if key in job.wildcards)])


def _total(kind: str, costs: Iterable[Cost | None]) -> dict[str, Any]:
    every = list(costs)
    known = [cost for cost in every if cost is not None]
    return {
        "kind": kind,
        "jobs": len(every),
        "cpu_hours": sum(cost.cpu_seconds for cost in known) / 3600,
        "startup_hours": sum(cost.startup_seconds for cost in known) / 3600,
        "disk_mb": sum(cost.bytes for cost in known) / 2**20,
        "longest_minutes": max((cost.cpu_seconds for cost in known), default=0.0) / 60,
        "peak_mb": max((cost.peak_mb for cost in known), default=0.0),
        "unmeasured": len(every) - len(known),
    }
