"""What the plots of TAIA show: performance and weights over time, and two runs side by side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.timeaware.cells import Cells
from cascurve.timeaware.evaluation import Evaluation
from cascurve.timeaware.measures import Definitions

Floats = NDArray[np.float64]
DAY = 86400.0
WINDOW = 4
"""Points of the moving average in a side-by-side plot."""


@dataclass(frozen=True)
class Series:
    """Values over time: x in days since the start of the evaluation."""

    x: Floats
    y: Floats

    def smoothed(self) -> Floats | None:
        """Moving average over `WINDOW` points, zeros beyond the ends as in the original; None for too few points."""
        if len(self.y) < WINDOW:
            return None
        return np.convolve(self.y, np.full(WINDOW, 1 / WINDOW), "same")


def performance(evaluation: Evaluation, run: tuple[str, str], slicing: str, metric: str, weighting: str) -> Series:
    """Mean over the entities that own each slice; the single value of "all" is a line over the whole range."""
    cells = evaluation.cells[slicing]
    slices, mean, _, _ = cells.over_time(evaluation.runs[run][slicing].values[metric], weighting)
    return _line(cells, slices, mean)


def weights(cells: Cells, entity: int | None = None) -> Series:
    """Burst-aware weights of an entity, or their mean over the entities that own each slice."""
    slices, mean, _, _ = weight_moments(cells, entity)
    return _line(cells, slices, mean)


def weight_moments(
    cells: Cells, entity: int | None = None
) -> tuple[NDArray[np.int32], Floats, Floats, NDArray[np.int64]]:
    """(slice, mean weight, its population standard deviation over entities, entities)."""
    chosen = cells.only(entity)
    return chosen.over_time(np.ones(len(chosen)), "WEIGHTED")


def side_by_side(
    evaluation: Evaluation,
    run: tuple[str, str],
    slicing: str,
    metric: str,
    entity: int,
    weighting: str,
    definitions: Definitions = "code",
) -> Series:
    """The values of one run for one entity in its own slices.

    Burst-aware values are value * R_i / R * I. In the released code's plots I counts the kept slices of *all* entities
    ("code"), unlike in its tables; by the seed's text I counts the entity's own ("text"), so that their mean is the
    entity's value in the tables.
    """
    cells = evaluation.cells[slicing]
    own = cells.entity == entity
    values = evaluation.runs[run][slicing].values[metric][own]
    if weighting == "WEIGHTED":
        slices = len(cells.kept_slices) if definitions == "code" else int(own.sum())
        values = values * cells.shares()[own] * slices
    return Series(_days(cells, cells.slice[own]), values)


def _line(cells: Cells, slices: NDArray[np.int32], values: Floats) -> Series:
    x = _days(cells, slices)
    if cells.slicing.count == 1 and len(x):
        days = cells.slicing.width / DAY
        return Series(np.array([x[0], max(days // 1, min(days, 1.0))]), np.repeat(values, 2))  # whole days, as there
    return Series(x, values)


def _days(cells: Cells, slices: NDArray[np.int32]) -> Floats:
    days: Floats = slices.astype(np.float64) * (cells.slicing.width / DAY)
    return days
