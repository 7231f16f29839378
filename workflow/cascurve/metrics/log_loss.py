"""Log-loss of predicted infection probabilities (cross-entropy; MXE in the model-selection literature)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.probabilities import has_probabilities, per_cascade, recipient_values
from cascurve.metrics.relevant_ranks import RelevantRanks


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
    defined = has_probabilities(ranks)
    used = np.zeros(len(ranks.scores), np.bool_)
    used[ranks.query_rows[defined]] = True
    nobody = _nobody(ranks.scores, used, smallest)  # as if nobody were infected
    chance = np.clip(recipient_values(ranks), smallest, 1 - smallest)
    unranked = ranks.recipient_group < 0
    correction = np.where(unranked, np.log(chance), np.log(chance) - np.log1p(-chance))
    n_predictions = ranks.n_candidates + ranks.n_relevant - ranks.n_ranked
    loss = -(nobody[ranks.query_rows] + per_cascade(correction, ranks))
    return np.divide(loss, n_predictions, out=np.full(len(ranks), np.nan), where=defined)


@njit(cache=True)
def _nobody(scores: NDArray[np.float32], used: NDArray[np.bool_], smallest: float) -> NDArray[np.float64]:
    """Per used row, the sum of ln(1 - p) over its candidates."""
    total = np.zeros(len(scores))
    for row in range(len(scores)):
        if not used[row]:
            continue
        product = 1.0
        for value in scores[row]:
            if not np.isnan(value):
                product *= 1.0 - min(max(np.float64(value), smallest), 1 - smallest)
                if product < 1e-200:  # one logarithm for many factors
                    total[row] += np.log(product)
                    product = 1.0
        total[row] += np.log(product)
    return total
