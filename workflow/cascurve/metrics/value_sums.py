"""What the measures of probabilities need of all scores of a query, from one pass over them."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

SMALLEST = 1e-7
"""Probabilities are kept between this and 1 - this where their logarithm is taken, unless a measure says otherwise."""

LANES = 256
"""Sums that are taken side by side; fewer would be unrolled before they are made vectors."""
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
    rounds: Any = max(np.int64(np.log(TINY) / np.log(smallest)), 1)  # factors of a lane that cannot underflow
    for i in range(len(scores)):
        row = scores[i]
        inside = _inside(row)
        proper[i] = inside > 0
        terms[:] = 0.0
        factors[:] = 1.0
        used = 0
        for first in range(0, len(row), LANES):
            _add(row[first : first + LANES], smallest, terms, factors)
            used += 1
            if used == rounds:
                log_others[i] += _log_of_product(factors, used, rounds)
                factors[:] = 1.0
                used = 0
        log_others[i] += _log_of_product(factors, used, rounds)
        log_others[i] -= (len(row) - inside) * np.log(1.0 - smallest)
        squares[i] = terms.sum()
    return ValueSums(proper, squares, log_others)


@njit(cache=True)
def _inside(row: NDArray[Any]) -> Any:
    """How many numbers there are in a row if all are in [0, 1], else 0; comparisons with NaN are false."""
    lowest = highest = row.dtype.type(0)
    inside = np.int32(0)
    for value in row:
        lowest = value if value < lowest else lowest
        highest = value if value > highest else highest
        inside = np.int32(inside + np.int32(not np.isnan(value)))
    return inside if lowest >= 0 and highest <= 1 else np.int32(0)


@njit(cache=True)
def _add(block: NDArray[Any], smallest: float, terms: NDArray[np.float64], factors: NDArray[np.float64]) -> None:
    """Take one score into each lane. To the factors NaN is `smallest`, without a test in each place."""
    for lane in range(len(block)):
        value = np.float64(block[lane])
        positive = value if value > 0.0 else 0.0
        terms[lane] += positive * positive
        factors[lane] *= 1.0 - clipped(value, smallest)


@njit(cache=True)
def _log_of_product(factors: NDArray[np.float64], used: int, rounds: int) -> float:
    """Logarithm of the product of the lanes, each of `used` factors; overwrites them."""
    width = len(factors)
    while width > 1 and 2 * used <= rounds:  # fold, as long as no lane can underflow
        width //= 2
        for lane in range(width):
            factors[lane] *= factors[width + lane]
        used *= 2
    total, product = 0.0, 1.0
    for lane in range(width):
        product *= factors[lane]
        if product < TINY:
            total += np.log(product)
            product = 1.0
    return total + np.log(product)


@njit(cache=True)
def clipped(value: Any, smallest: float) -> float:
    """A probability, kept between `smallest` and 1 - `smallest`."""
    p: Any = np.float64(value)
    p = p if p > smallest else smallest
    return p if p < 1.0 - smallest else 1.0 - smallest
