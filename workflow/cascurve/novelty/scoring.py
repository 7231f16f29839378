"""Metrics of novelty by name, at several cutoffs."""

from collections.abc import Iterable, Mapping
from typing import Any

from cascurve import plugins
from cascurve.novelty.averages import Value
from cascurve.novelty.task import Task

Metrics = Mapping[str, Mapping[str, Any]]
"""Label -> parameters; the label is the metric's module, unless the key ``use`` names it."""


def values(task: Task, metrics: Metrics, cutoffs: Iterable[int | None]) -> dict[str, Value]:
    """``label@k`` -> the metric at that cutoff, for all labels and cutoffs; ``label`` alone for whole lists."""
    found = {}
    wanted = list(cutoffs)
    for label, given in metrics.items():
        module = plugins.load("novelty", given.get("use", label), where=f"novelty.metrics.{label}")
        parameters = {key: value for key, value in given.items() if key != "use"}
        for k in wanted:
            found[column(label, k)] = module.score(task, k, **parameters)
    return found


def column(label: str, k: int | None) -> str:
    """Name of a metric at a cutoff."""
    return label if k is None else f"{label}@{k}"
