"""Where each prediction of a run stands among the true documents of its entity, found without sorting the predictions.

The ranking is by confidence, highest first; ties by the document's name in descending order of bytes, as the released
TAIA code has them. A binary search among the true documents says where any prediction stands. It is done once for a
run: slices and levels only choose some of the true documents, and keep their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.timeaware.judgments import Judgments
from cascurve.timeaware.runs import Run


@dataclass(frozen=True)
class Standings:
    """The true documents that a run predicts, ordered by entity and place in the run's ranking of the entity.

    Attributes
    ----------
    level : smallest label of a true document.
    of_row : int32, shape (judgments,). The place of a row of the judgments in that order; -1 where it is not in it.
    of_prediction : for each block of the run int32, shape (predictions,). The place of the first true document that
        the prediction does not stand below; its own place for a true document.
    """

    level: float
    of_row: NDArray[np.int32]
    of_prediction: Sequence[NDArray[np.int32]]


def standings(run: Run, judgments: Judgments, level: float) -> Standings:
    """The standings of a run among the documents that are true at a level, and so at all levels above it."""
    confidence = np.full(len(judgments), np.nan)
    for block in run.predictions:
        known = block.judged >= 0
        confidence[block.judged[known]] = block.confidence[known]
    true = judgments.true(level)
    rows = true[~np.isnan(confidence[true])]
    order = np.lexsort((-judgments.text_order[judgments.document[rows]], -confidence[rows], judgments.entity[rows]))
    rows = rows[order]
    of_row = np.full(len(judgments), -1, np.int32)
    of_row[rows] = np.arange(len(rows), dtype=np.int32)
    starts = np.searchsorted(judgments.entity[rows], np.arange(len(judgments.entities) + 1))
    names = judgments.labels.content()
    ordered = starts, confidence[rows], judgments.document[rows]
    found = [
        _stand(block.entity, block.confidence, block.offsets, block.text, *ordered, *names) for block in run.predictions
    ]
    return Standings(level, of_row, found)


@njit(cache=True)
def _stand(
    entity: NDArray[np.int32],
    confidence: NDArray[np.float64],
    offsets: NDArray[np.int32],
    text: NDArray[np.uint8],
    starts: NDArray[np.int64],
    true_confidence: NDArray[np.float64],
    true_document: NDArray[np.int32],
    name_offsets: NDArray[np.int64],
    names: NDArray[np.uint8],
) -> NDArray[np.int32]:
    found = np.empty(len(entity), np.int32)
    for i in range(len(entity)):
        end = starts[entity[i] + 1]
        low = _first_not_above(true_confidence, starts[entity[i]], end, confidence[i], False)
        if low < end and true_confidence[low] == confidence[i]:
            high = _first_not_above(true_confidence, low, end, confidence[i], True)
            while low < high:
                middle = (low + high) // 2
                name = true_document[middle]
                if _later(names, name_offsets[name], name_offsets[name + 1], text, offsets[i], offsets[i + 1]):
                    low = middle + 1
                else:
                    high = middle
        found[i] = low
    return found


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
