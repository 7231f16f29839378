"""TAIA's measures of a slice, by the names of its tables; they are those of `cascurve.metrics`."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics import auc, average_precision, corrected_auc, ndcg, r_precision
from cascurve.metrics.relevant_ranks import RelevantRanks

Definitions = Literal["code", "text"]
"""Where the seed's text and the released code differ, "code" follows the code (its tables are made by it)."""

METRICS = ("MAP", "Prec@R", "nDCG@R", "correctedAUC", "numPosPredictions", "extendedAUC")
RATES = ("MAP", "Prec@R", "nDCG@R", "correctedAUC")
"""Those on a scale with 1 as the best."""


def measure(ranks: RelevantRanks, definitions: Definitions = "code") -> dict[str, NDArray[np.float64]]:
    """Metric -> value per list, shape (len(ranks),); 0 wherever nothing is predicted, NaN where nothing is true.

    Parameters
    ----------
    definitions : "code": MAP divides by the true documents R, and the ideal of nDCG@R is no longer than the list.
        "text": MAP is the mean of the precisions at hits, and the ideal of nDCG@R holds all R.
    """
    code = definitions == "code"
    chosen: dict[str, Callable[[], NDArray[np.float64]]] = {
        "MAP": lambda: average_precision.score(ranks, denominator="truth" if code else "hits"),
        "Prec@R": lambda: r_precision.score(ranks),
        "nDCG@R": lambda: ndcg.score(ranks, k="R", ideal="list" if code else "truth"),
        "correctedAUC": lambda: corrected_auc.score(ranks),
        "numPosPredictions": lambda: ranks.n_ranked.astype(np.float64),
        "extendedAUC": lambda: 2 * auc.score(ranks) - 1,
    }
    return {
        name: np.where(ranks.n_relevant > 0, np.nan_to_num(score(), nan=0.0), np.nan) for name, score in chosen.items()
    }
