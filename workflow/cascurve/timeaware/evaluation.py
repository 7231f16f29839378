"""The evaluation of runs against judgments: every metric in every cell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cascurve.timeaware.cells import Cells
from cascurve.timeaware.judgments import Judgments
from cascurve.timeaware.measures import Definitions, measure
from cascurve.timeaware.places import Counted, Truth, count, places
from cascurve.timeaware.runs import read_run, require_distinct_runs
from cascurve.timeaware.slices import Slicing
from cascurve.timeaware.standings import standings

Floats = NDArray[np.float64]
LEVELS = {1: ("cr", "relevant+central"), 2: ("c", "central")}
"""Judgment level -> folder and name in the published results."""


@dataclass(frozen=True)
class Measured:
    """One run in the cells of one slicing.

    Attributes
    ----------
    values : metric -> value, shape (cells,).
    predictions : shape (cells,). Documents predicted.
    idle : (entity, slice, documents predicted) where the entity has no true document but another one has; no metric
        has a value there.
    """

    values: Mapping[str, Floats]
    predictions: NDArray[np.int64]
    idle: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Evaluation:
    """All runs at one judgment level.

    Attributes
    ----------
    level : smallest label of a true document.
    entities : names, by number.
    cells : slicing -> its cells.
    runs : (team, run) -> slicing -> what was measured.
    """

    level: int
    entities: tuple[str, ...]
    cells: Mapping[str, Cells]
    runs: Mapping[tuple[str, str], Mapping[str, Measured]]

    @property
    def level_name(self) -> str:
        """The level in file names and tables."""
        return LEVELS[self.level][1] if self.level in LEVELS else f"label_{self.level}_or_more"

    @property
    def folder(self) -> str:
        """The level's folder in the published results."""
        return LEVELS[self.level][0] if self.level in LEVELS else f"label{self.level}"

    def entity_table(self, metric: str, weighting: str) -> dict[tuple[str, str], NDArray[np.float64]]:
        """(team, run) -> values, shape (entities, slicings)."""
        return {
            key: np.stack(
                [self.cells[name].entity_values(found.values[metric], weighting) for name, found in by_slicing.items()],
                axis=1,
            )
            for key, by_slicing in self.runs.items()
        }

    def overall_table(self, metric: str, weighting: str) -> dict[tuple[str, str], list[float]]:
        """(team, run) -> one value per slicing."""
        return {
            key: [self.cells[name].overall(found.values[metric], weighting) for name, found in by_slicing.items()]
            for key, by_slicing in self.runs.items()
        }


def evaluate(
    run_files: Iterable[Path],
    judgments: Judgments,
    slicings: Sequence[Slicing],
    levels: Sequence[int] = (1, 2),
    definitions: Definitions = "code",
) -> tuple[list[Evaluation], dict[tuple[str, str], dict[str, int]]]:
    """One evaluation per level, and what the lines of each run are; a run's lines are held while it is measured only.

    Raises `DataError` as `read_run` does, and where two files hold the same run.
    """
    truths = {level: {step.name: Truth(judgments, level, step) for step in slicings} for level in levels}
    lowest = min(levels)
    found: dict[int, dict[tuple[str, str], dict[str, Measured]]] = {level: {} for level in levels}
    counts: dict[tuple[str, str], dict[str, int]] = {}
    files: dict[tuple[str, str], Path] = {}
    for path in run_files:
        run = read_run(path, judgments)
        key = run.team, run.name
        require_distinct_runs(files, key, path)
        counts[key] = run.counts
        standing = standings(run, judgments, lowest)
        counted = {name: count(run, standing, truth) for name, truth in truths[lowest].items()}
        for level, by_slicing in truths.items():
            found[level][key] = {
                name: _measured(counted[name], truth, definitions) for name, truth in by_slicing.items()
            }
    return [
        Evaluation(level, judgments.entities, {name: truth.cells for name, truth in by_slicing.items()}, found[level])
        for level, by_slicing in truths.items()
    ], counts


def _measured(counted: Counted, truth: Truth, definitions: Definitions) -> Measured:
    ranks, predicted = places(counted, truth), counted.predicted
    kept = np.zeros(truth.cells.slicing.count, np.bool_)
    kept[truth.cells.kept_slices] = True
    idle = np.argwhere((predicted > 0) & (truth.cell_at < 0) & kept)
    listed = tuple((entity, place, int(predicted[entity, place])) for entity, place in idle.tolist())
    return Measured(measure(ranks, definitions), ranks.n_candidates, listed)
