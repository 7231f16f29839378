"""Log-loss of predicted infection probabilities (cross-entropy; MXE in the model-selection literature)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.metrics.value_sums import SMALLEST, TINY, clipped, value_sums

BEST = 0.0
"""The best value; smaller is better."""


def column(*, smallest: float = SMALLEST) -> str:
    """Name of the output column."""
    return f"log_loss[{smallest:g}]"


def score(ranks: RelevantRanks, *, smallest: float = SMALLEST) -> NDArray[np.float64]:
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
    sums = ranks.value_sums if smallest == SMALLEST else value_sums(ranks.scores, smallest)
    correction = _recipients(ranks.recipient_scores, ranks.recipient_offsets, ranks.recipient_group, defined, smallest)
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    loss = -(sums.log_others[ranks.query_rows] + correction)  # as if nobody were infected, and the recipients
    return np.divide(loss, n_predictions, out=np.full(len(ranks), np.nan), where=defined)


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
            p = clipped(values[entry], smallest)
            happened *= p
            against *= 1.0 if group[entry] < 0 else 1.0 - p
            if happened < TINY or against < TINY:
                total[cascade] += np.log(happened) - np.log(against)
                happened, against = 1.0, 1.0
        total[cascade] += np.log(happened) - np.log(against)
    return total
