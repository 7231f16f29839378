"""Log-loss of predicted infection probabilities (cross-entropy; MXE in the model-selection literature)."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks

LANES = 32
"""Products that are taken side by side."""
TINY = 1e-150
"""Products below are replaced by their logarithm; the next factors, of one lane at most, still fit a float64."""

BEST = 0.0
"""The best value; smaller is better."""


def column(*, smallest: float = 1e-7) -> str:
    """Name of the output column."""
    return f"log_loss[{smallest:g}]"


def score(ranks: RelevantRanks, *, smallest: float = 1e-7) -> NDArray[np.float64]:
    """Mean over candidates of -ln(probability given to what happened), in nats; smaller is better; shape (m,).

    A recipient that is not ranked counts as a candidate with probability 0. NaN where there is no recipient or
    the scores are not probabilities.

    Parameters
    ----------
    smallest : probabilities are kept between this and 1 - this, 0 < smallest < 0.5.
    """
    if not 0 < smallest < 0.5:
        raise ConfigError("smallest", smallest, "a number between 0 and 0.5, both excluded")
    defined = ranks.has_probabilities
    used = np.zeros(len(ranks.scores), np.bool_)
    used[ranks.query_rows[defined]] = True
    nobody = _nobody(ranks.scores, used, smallest)  # as if nobody were infected
    correction = _recipients(ranks.recipient_scores, ranks.recipient_offsets, ranks.recipient_group, defined, smallest)
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    loss = -(nobody[ranks.query_rows] + correction)
    return np.divide(loss, n_predictions, out=np.full(len(ranks), np.nan), where=defined)


@njit(cache=True)
def _clipped(value: Any, smallest: float) -> float:
    p: Any = np.float64(value)
    p = p if p > smallest else smallest
    return p if p < 1.0 - smallest else 1.0 - smallest


@njit(cache=True)
def _nobody(scores: NDArray[Any], used: NDArray[np.bool_], smallest: float) -> NDArray[np.float64]:
    """Per used row, the sum of ln(1 - p) over its candidates; one logarithm for many factors."""
    total = np.zeros(len(scores))
    lanes = np.ones(LANES)
    rounds: Any = max(np.int64(np.log(TINY) / np.log(smallest)), 1)  # factors of a lane that cannot underflow
    for i in range(len(scores)):
        if not used[i]:
            continue
        row = scores[i]
        product = 1.0
        for start in range(0, len(row), rounds * LANES):
            chunk = row[start : start + rounds * LANES]
            lanes[:] = 1.0
            for first in range(0, len(chunk), LANES):
                block = chunk[first : first + LANES]
                for lane in range(len(block)):
                    value = block[lane]
                    lanes[lane] *= 1.0 if np.isnan(value) else 1.0 - _clipped(value, smallest)
            for lane in range(LANES):
                product *= lanes[lane]
                if product < TINY:
                    total[i] += np.log(product)
                    product = 1.0
        total[i] += np.log(product)
    return total


@njit(cache=True)
def _recipients(
    values: NDArray[np.float64],
    offsets: NDArray[np.int64],
    group: NDArray[np.int32],
    defined: NDArray[np.bool_],
    smallest: float,
) -> NDArray[np.float64]:
    """Sum of ln p - ln(1 - p) over the recipients; of ln p alone where they are not ranked."""
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        if not defined[cascade]:
            continue
        happened, against = 1.0, 1.0
        for entry in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            p = _clipped(values[entry], smallest)
            happened *= p
            against *= 1.0 if group[entry] < 0 else 1.0 - p
            if happened < TINY or against < TINY:
                total[cascade] += np.log(happened) - np.log(against)
                happened, against = 1.0, 1.0
        total[cascade] += np.log(happened) - np.log(against)
    return total
