"""What the measures of probabilities need of all scores of a query, from one pass over them."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

SMALLEST = 1e-7
"""Probabilities are kept between this and 1 - this where their logarithm is taken, unless a measure says otherwise."""

LANES = 32
"""Sums that are taken side by side."""
TINY = 1e-150
"""Products below are replaced by their logarithm; the next factors, of one lane at most, still fit a float64."""


class ValueSums(NamedTuple):
    """Sums over the scores of each query that are numbers; shape (queries,).

    proper : bool; there is such a score, and all are in [0, 1]. The sums below mean something only then.
    squares : float64, of the scores' squares.
    log_others : float64, of ln(1 - p).
    """

    proper: NDArray[np.bool_]
    squares: NDArray[np.float64]
    log_others: NDArray[np.float64]


@njit(cache=True)
def value_sums(scores: NDArray[Any], smallest: float = SMALLEST) -> ValueSums:
    """The sums of scores of shape (queries, n_users); 0 < smallest < 0.5."""
    proper = np.zeros(len(scores), np.bool_)
    squares, log_others = np.zeros(len(scores)), np.zeros(len(scores))
    factors, terms = np.empty(LANES), np.empty(LANES)
    inside, outside = np.empty(LANES, np.int32), np.empty(LANES, np.int32)
    rounds: Any = max(np.int64(np.log(TINY) / np.log(smallest)), 1)  # factors of a lane that cannot underflow
    for i in range(len(scores)):
        row = scores[i]
        terms[:] = 0.0
        inside[:] = 0
        outside[:] = 0
        product = 1.0
        for start in range(0, len(row), rounds * LANES):
            chunk = row[start : start + rounds * LANES]
            factors[:] = 1.0
            for first in range(0, len(chunk), LANES):
                block = chunk[first : first + LANES]
                for lane in range(len(block)):  # comparisons with NaN are false
                    inside[lane] = np.int32(inside[lane] + np.int32((block[lane] >= 0) & (block[lane] <= 1)))
                    outside[lane] = np.int32(outside[lane] + np.int32((block[lane] < 0) | (block[lane] > 1)))
                for lane in range(len(block)):
                    value = np.float64(block[lane])
                    terms[lane] += 0.0 if np.isnan(value) else value * value
                    factors[lane] *= 1.0 if np.isnan(value) else 1.0 - clipped(value, smallest)
            for lane in range(LANES):
                product *= factors[lane]
                if product < TINY:
                    log_others[i] += np.log(product)
                    product = 1.0
        squares[i] = terms.sum()
        log_others[i] += np.log(product)
        proper[i] = inside.max() > 0 and outside.max() == 0
    return ValueSums(proper, squares, log_others)


@njit(cache=True)
def clipped(value: Any, smallest: float) -> float:
    """A probability, kept between `smallest` and 1 - `smallest`."""
    p: Any = np.float64(value)
    p = p if p > smallest else smallest
    return p if p < 1.0 - smallest else 1.0 - smallest
