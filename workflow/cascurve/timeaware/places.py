"""Where the true documents of each cell stand in a run, found by counting, without sorting the predictions.

A slice's ranking is by confidence, highest first; ties by the document's name in descending order of bytes, as the
released TAIA code has them. Every prediction that is not true stands somewhere between the true ones: a binary search
among these says where. Only then does the order of the rest not matter.
"""

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
        self.cells: Cells
        self.cells, cell = cells_of(slicing, len(judgments.entities), judgments.entity[true], judgments.time[true])
        self.rows = true[cell >= 0]
        self.cell = cell[cell >= 0]
        self.cell_at = np.full((len(judgments.entities), slicing.count), -1, np.int32)
        self.cell_at[self.cells.entity, self.cells.slice] = np.arange(len(self.cells), dtype=np.int32)
        self.is_true = np.zeros(len(judgments), np.bool_)
        self.is_true[self.rows] = True


def places(run: Run, truth: Truth) -> tuple[RelevantRanks, NDArray[np.int32]]:
    """The places of the true documents in the run's ranking of each cell, one cell being one list; and how many
    documents the run predicts for each entity in each slice, shape (n_entities, slices).
    """
    judgments, cells = truth.judgments, truth.cells
    confidence = np.full(len(judgments), np.nan)
    for block in run.predictions:
        known = block.judged >= 0
        confidence[block.judged[known]] = block.confidence[known]
    found = ~np.isnan(confidence[truth.rows])
    rows, cell = truth.rows[found], truth.cell[found]
    order = np.lexsort((-judgments.text_order[judgments.document[rows]], -confidence[rows], cell))
    rows, cell = rows[order], cell[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(cells)))]).astype(np.int64)
    # one more place per cell than it has true documents: below all of them
    between = np.zeros(len(rows) + len(cells), np.int64)
    predicted = np.zeros(truth.cell_at.shape, np.int32)
    offsets, names = judgments.labels.content()
    slicing = cells.slicing
    for block in run.predictions:
        _count(
            block.entity,
            block.judged,
            block.time,
            block.confidence,
            block.offsets,
            block.text,
            slicing.start,
            slicing.width,
            truth.cell_at,
            truth.is_true,
            starts,
            confidence[rows],
            judgments.document[rows],
            offsets,
            names,
            between,
            predicted,
        )
    return _ranks(cells, starts, between), predicted


def _ranks(cells: Cells, starts: NDArray[np.int64], between: NDArray[np.int64]) -> RelevantRanks:
    hits = np.diff(starts)
    cell = np.repeat(np.arange(len(cells)), hits)
    nth = np.arange(starts[-1]) - starts[cell]  # true documents above
    stops = np.concatenate([[0], np.cumsum(hits + 1)])
    total = np.concatenate([[0], np.cumsum(between)])
    others = total[stops[:-1][cell] + nth + 1] - total[stops[:-1][cell]]
    n_candidates = hits + total[stops[1:]] - total[stops[:-1]]
    return listed(starts, nth + others, n_candidates, cells.relevant)


@njit(cache=True)
def _count(
    entity: NDArray[np.int32],
    judged: NDArray[np.int32],
    time: NDArray[np.float64],
    confidence: NDArray[np.float64],
    offsets: NDArray[np.int32],
    text: NDArray[np.uint8],
    start: float,
    width: float,
    cell_at: NDArray[np.int32],
    is_true: NDArray[np.bool_],
    starts: NDArray[np.int64],
    true_confidence: NDArray[np.float64],
    true_document: NDArray[np.int32],
    name_offsets: NDArray[np.int64],
    names: NDArray[np.uint8],
    between: NDArray[np.int64],
    predicted: NDArray[np.int32],
) -> None:
    """Add to `between` how many of the predictions stand below the first k true documents of a cell and no more."""
    for i in range(len(entity)):
        index = np.floor((time[i] - start) / width)
        if not 0 <= index < cell_at.shape[1]:
            continue
        predicted[entity[i], np.int64(index)] += 1
        cell = np.int64(cell_at[entity[i], np.int64(index)])
        if cell < 0 or (judged[i] >= 0 and is_true[judged[i]]):
            continue
        low = _first_not_above(true_confidence, starts[cell], starts[cell + 1], confidence[i], False)
        if low < starts[cell + 1] and true_confidence[low] == confidence[i]:
            high = _first_not_above(true_confidence, low, starts[cell + 1], confidence[i], True)
            while low < high:
                middle = (low + high) // 2
                name = true_document[middle]
                if _later(names, name_offsets[name], name_offsets[name + 1], text, offsets[i], offsets[i + 1]):
                    low = middle + 1
                else:
                    high = middle
        between[low + cell] += 1


@njit(cache=True)
def _first_not_above(descending: NDArray[np.float64], begin: Any, end: Any, value: float, or_equal: bool) -> Any:
    """The first place in ``descending[begin:end]`` whose value is not above `value` (or equal to it); else `end`.

    Steps without branches: which way a search goes cannot be foreseen, and a wrong guess costs more than the step.
    """
    low, left = begin, end - begin
    while left > 0:
        half = (left + 1) // 2
        here = descending[low + half - 1]
        above = (here > value) | (or_equal & (here == value))
        low += half * np.int64(above)
        left -= half
    return low


@njit(cache=True)
def _later(one: NDArray[np.uint8], a: Any, b: Any, other: NDArray[np.uint8], c: Any, d: Any) -> bool:
    """Whether ``one[a:b]`` comes after ``other[c:d]`` in the order of bytes."""
    for step in range(min(b - a, d - c)):
        if one[a + step] != other[c + step]:
            return one[a + step] > other[c + step]
    return b - a > d - c
