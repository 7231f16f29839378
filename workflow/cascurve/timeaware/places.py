"""Where the true documents of each cell stand in a run, found by counting, without sorting the predictions.

Every prediction of a slice that is not true stands somewhere between the slice's true documents: a search among their
standings says where. Only then does the order of the rest not matter. The documents of a higher level are some of those
of a lower one, so that one count serves both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.timeaware.cells import Cells, cells_of
from cascurve.timeaware.judgments import Judgments
from cascurve.timeaware.lists import listed
from cascurve.timeaware.runs import Run
from cascurve.timeaware.slices import Slicing
from cascurve.timeaware.standings import Standings

Counts = NDArray[np.int64]


class Truth:
    """The true documents of a judgment level in the cells of one slicing.

    Attributes
    ----------
    cells : the cells.
    rows : int64. The judgments' rows of true documents that lie in a cell; `cell` is the cell of each.
    cell_at : int32, shape (n_entities, slices). Number of a cell, -1 where the entity has no true document.
    """

    def __init__(self, judgments: Judgments, level: float, slicing: Slicing) -> None:
        true = judgments.true(level)
        self.judgments = judgments
        self.level = level
        self.cells: Cells
        self.cells, cell = cells_of(slicing, len(judgments.entities), judgments.entity[true], judgments.time[true])
        self.rows = true[cell >= 0]
        self.cell = cell[cell >= 0]
        self.cell_at = np.full((len(judgments.entities), slicing.count), -1, np.int32)
        self.cell_at[self.cells.entity, self.cells.slice] = np.arange(len(self.cells), dtype=np.int32)


@dataclass(frozen=True)
class Counted:
    """The predictions of a run between the true documents of each cell.

    Attributes
    ----------
    truth : the true documents; those of them that the run predicts are its *hits*.
    rows : shape (hits,). The judgments' row of each, by cell and then by place in the ranking.
    starts : shape (cells + 1,). The hits of cell i are ``rows[starts[i]:starts[i + 1]]``.
    between : shape (hits + cells,). For each hit of a cell, how many other predictions stand above it and below the hit
        before; then how many stand below all hits of the cell.
    predicted : int32, shape (n_entities, slices). Predictions of each entity in each slice.
    """

    truth: Truth
    rows: NDArray[np.int64]
    starts: Counts
    between: Counts
    predicted: NDArray[np.int32]


def count(run: Run, standings: Standings, truth: Truth) -> Counted:
    """One pass over the predictions; `standings` are those of the run at the truth's level."""
    cells, slicing = truth.cells, truth.cells.slicing
    standing = standings.of_row[truth.rows]
    found = standing >= 0
    rows, standing, cell = truth.rows[found], standing[found], truth.cell[found]
    order = np.lexsort((standing, cell))
    standing = standing[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(cells)))]).astype(np.int64)
    whole = slicing.count == 1 and len(standing) == np.sum(standings.of_row >= 0)
    between = np.zeros(len(standing) + len(cells), np.int64)
    predicted = np.zeros(truth.cell_at.shape, np.int32)
    for block, own in zip(run.predictions, standings.of_prediction, strict=True):
        given = block.entity, block.judged, block.time, own, standings.of_row
        steps = slicing.start, slicing.width, truth.cell_at
        _count(*given, *steps, starts, standing, whole, between, predicted)
    return Counted(truth, rows[order], starts, between, predicted)


def places(counted: Counted, truth: Truth) -> RelevantRanks:
    """The places of the true documents in the run's ranking of each cell, one cell being one list.

    Parameters
    ----------
    counted : the run's counts in the same slices, at the truth's level or a lower one.
    """
    if truth.level != counted.truth.level:
        counted = _narrowed(counted, truth)
    starts, between = counted.starts, counted.between
    hits = np.diff(starts)
    cell = np.repeat(np.arange(len(hits)), hits)
    nth = np.arange(starts[-1]) - starts[cell]  # true documents above
    stops = np.concatenate([[0], np.cumsum(hits + 1)])
    total = np.concatenate([[0], np.cumsum(between)])
    others = total[stops[:-1][cell] + nth + 1] - total[stops[:-1][cell]]
    n_candidates = hits + total[stops[1:]] - total[stops[:-1]]
    return listed(starts, nth + others, n_candidates, truth.cells.relevant)


def _narrowed(counted: Counted, truth: Truth) -> Counted:
    """The counts between the hits of a higher level: the other hits are predictions like any other."""
    cells, starts = counted.truth.cells, counted.starts
    kept = truth.judgments.label[counted.rows] >= truth.level
    above = np.concatenate([[0], np.cumsum(kept)])  # hits that stay, before each hit
    number = truth.cell_at[cells.entity, cells.slice].astype(np.int64)
    cell = np.repeat(np.arange(len(cells)), np.diff(starts))
    last = starts[1:] + np.arange(len(cells))  # below all hits of each cell
    owner, hit = np.empty((2, len(counted.between)), np.int64)
    owner[last], hit[last] = np.arange(len(cells)), starts[1:]
    own = np.arange(len(cell)) + cell
    owner[own], hit[own] = cell, np.arange(len(cell))
    between = np.zeros(above[-1] + len(truth.cells), np.int64)
    stays = number[owner] >= 0
    np.add.at(between, (above[hit] + number[owner])[stays], counted.between[stays])
    gone = ~kept & (number[cell] >= 0)
    np.add.at(between, (above[:-1] + number[cell])[gone], 1)
    ends = np.concatenate([above[starts[:-1]][number >= 0], above[-1:]])
    return Counted(truth, counted.rows[kept], ends, between, counted.predicted)


@njit(cache=True)
def _count(
    entity: NDArray[np.int32],
    judged: NDArray[np.int32],
    time: NDArray[np.float64],
    standing: NDArray[np.int32],
    of_row: NDArray[np.int32],
    start: float,
    width: float,
    cell_at: NDArray[np.int32],
    starts: NDArray[np.int64],
    true_standing: NDArray[np.int32],
    whole: bool,
    between: NDArray[np.int64],
    predicted: NDArray[np.int32],
) -> None:
    """Add to `between` and `predicted` of a `Counted`. `whole`: every cell holds all hits of its entity."""
    for i in range(len(entity)):
        index = np.floor((time[i] - start) / width)
        if not 0 <= index < cell_at.shape[1]:
            continue
        predicted[entity[i], np.int64(index)] += 1
        cell = np.int64(cell_at[entity[i], np.int64(index)])
        if cell < 0 or (judged[i] >= 0 and of_row[judged[i]] >= 0):
            continue
        if whole:
            between[standing[i] + cell] += 1
        else:
            between[_first_not_below(true_standing, starts[cell], starts[cell + 1], standing[i]) + cell] += 1


@njit(cache=True)
def _first_not_below(ascending: NDArray[np.int32], begin: Any, end: Any, value: Any) -> Any:
    """The first place in ``ascending[begin:end]`` whose value is not below `value`; else `end`. Without branches."""
    low, left = begin, end - begin
    while left > 0:
        half = (left + 1) // 2
        low += half * np.int64(ascending[low + half - 1] < value)
        left -= half
    return low
