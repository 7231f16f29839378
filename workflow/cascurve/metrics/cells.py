"""Cells for scores: whole numbers that never contradict the order of the scores, for the kernels that count.

A cell is given as its position in a table of `LANES` columns. Columns follow one another in the order of the scores,
and within a column the rows do: so sums over cells are taken for all columns at a time.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

LANES = 128
MOST_CELLS = 256 * LANES  # a table of 128 kB: the second-level cache holds it
CELLS_PER_RECIPIENT = 16
OCTAVES = 8
LARGEST = np.float32(1e38)
INFINITE = 0x7F800000  # key of the infinite score


class Map(NamedTuple):
    """How a score becomes a cell."""

    by_ratio: bool  # cells of equal ratios of scores, else of equal widths
    core: Any
    low: Any
    scale: Any
    last: Any
    rows: Any
    share: Any  # 1 / rows, exact


@njit(cache=True)
def rows_for(n_recipients: int) -> int:
    """Binary logarithm of the rows of a table that keeps so many recipients apart."""
    shift = 3
    while LANES << shift < min(CELLS_PER_RECIPIENT * n_recipients, MOST_CELLS):
        shift += 1
    return shift


@njit(cache=True)
def _rows(shift: int) -> tuple[Any, Any]:
    return np.int32(1 << shift), np.float32(1.0) / np.float32(1 << shift)


@njit(cache=True)
def even_map(scores: NDArray[np.float32], shift: int) -> tuple[Map, Any, Any]:
    """(cells of equal width over these scores, whether they can be, whether the scores differ)."""
    last = np.float32((LANES << shift) - 1)
    lowest, highest = _finite_range(scores.view(np.int32))
    if lowest > highest:
        return Map(False, np.int32(0), np.float32(0.0), np.float32(1.0), last, *_rows(shift)), True, False
    low, high = _score_of(lowest), _score_of(highest)
    width = np.float32(high - low)
    scale = min(np.float32(last - np.float32(1.0)) / width, LARGEST) if width > 0 else LARGEST
    return Map(False, np.int32(0), low, scale, last, *_rows(shift)), np.isfinite(width), width > 0


@njit(cache=True)
def ratio_map(scores: NDArray[np.float32], shift: int) -> Map:
    """Cells of equal width in the key, that is of equal ratios of scores.

    Where the range holds zero, scores below 2**-OCTAVES of the largest share one cell, the core, or the tiniest
    numbers would take nearly all cells.
    """
    lowest, highest = _finite_range(scores.view(np.int32))
    core: Any = np.int32(0)
    if lowest <= 0 <= highest:
        core = np.int32(max(max(highest, np.int32(-lowest)) - OCTAVES * 2**23, 0))
        lowest = np.int32(min(lowest + core, 0))
        highest = np.int32(max(highest - core, 0))
    low = np.float32(lowest)
    last = np.float32((LANES << shift) - 1)
    scale = np.float32(last - np.float32(1.0)) / max(np.float32(highest) - low, np.float32(1.0))
    return Map(True, core, low, scale, last, *_rows(shift))


@njit(cache=True)
def _finite_range(bits: NDArray[np.int32]) -> tuple[Any, Any]:
    """(lowest, highest) key of the finite scores; infinities fall into the outermost cells of any map."""
    lowest, highest = np.int32(INFINITE), np.int32(-INFINITE)
    for r in range(len(bits)):
        key = key_of(bits[r])
        finite = abs(key) < INFINITE
        lowest = min(lowest, key if finite else np.int32(INFINITE))
        highest = max(highest, key if finite else np.int32(-INFINITE))
    return lowest, highest


@njit(cache=True)
def _score_of(key: Any) -> Any:
    """The score with this key."""
    return np.int32(key if key >= 0 else np.int32(-key) | np.int32(-0x80000000)).view(np.float32)


@njit(cache=True)
def key_of(bits: Any) -> Any:
    """An int32 in the order of the float32s with these bits; 0.0 and -0.0 share one, NaN comes below all."""
    sign = np.int32(bits >> 31)
    size = np.int32(bits & 0x7FFFFFFF)
    return np.int32(-0x7FFFFFFF) if size > 0x7F800000 else np.int32(np.int32(size ^ sign) - sign)


@njit(cache=True)
def cell_of(score: Any, bits: Any, by: Map) -> Any:
    """Position of the cell of a score with these bits; see `cells_of`."""
    return _cell_at(_by_ratio(bits, by) if by.by_ratio else score, by)


@njit(cache=True)
def cells_of(scores: NDArray[np.float32], by: Map, cells: NDArray[np.int32]) -> None:
    """Write the positions of the scores' cells; they never decrease with the score, since every step rounds
    monotonically.

    NaN falls into the lowest cell. One loop for each kind of map: LLVM does not take the choice out of a common one.
    """
    bits = scores.view(np.int32)
    if by.by_ratio:
        for j in range(len(scores)):
            cells[j] = _cell_at(_by_ratio(bits[j], by), by)
    else:
        for j in range(len(scores)):
            cells[j] = _cell_at(scores[j], by)


@njit(cache=True)
def _by_ratio(bits: Any, by: Map) -> Any:
    """Where a score with these bits lies, in equal ratios."""
    key = key_of(bits)
    return np.float32(np.int32(key - max(min(key, by.core), np.int32(-by.core))))


@njit(cache=True)
def _cell_at(position: Any, by: Map) -> Any:
    place = np.float32(np.float32(position - by.low) * by.scale) + np.float32(1.0)
    place = place if place > np.float32(0.0) else np.float32(0.0)  # of NaN, too
    place = place if place < by.last else by.last
    cell = np.int32(place)
    column = np.int32(np.float32(cell) * by.share)  # a shift by a variable would be one of 64 bits, and not vectorised
    return np.int32(np.int32(np.int32(cell - np.int32(column * by.rows)) * np.int32(LANES)) + column)
