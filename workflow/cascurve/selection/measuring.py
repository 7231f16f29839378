"""The measures of the model-selection study, on the small test sets of a classifier.

They are the project's own measures: the examples of a test set stand as candidates, the positive ones as recipients.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve import plugins
from cascurve.metrics.relevant_ranks import ranks_of
from cascurve.metrics.scoring import score_ranks
from cascurve.selection.measures import MEASURES


def measured(probabilities: NDArray[np.float64], tests: NDArray[np.int64], n_positive: int) -> dict[str, Any]:
    """Each measure on each test set, by name; float64, shape (models, tests).

    Parameters
    ----------
    probabilities : shape (models, examples).
    tests : indices of examples, shape (tests, size), the `n_positive` positive ones first.
    """
    n_models, (n_tests, size) = len(probabilities), tests.shape
    scores = probabilities[:, tests].reshape(n_models * n_tests, size)
    offsets = np.arange(n_models * n_tests + 1) * n_positive
    positives = np.tile(np.arange(n_positive, dtype=np.int32), n_models * n_tests)
    values = score_ranks(ranks_of(scores, offsets, positives, np.arange(len(scores))), MEASURES)
    return {name: column.reshape(n_models, n_tests) for name, column in zip(MEASURES, values.values(), strict=True)}


def sign(measure: str) -> float:
    """1 where more of a measure (its module, or a user's file) is better, -1 where less is."""
    return -1.0 if getattr(plugins.load("metrics", measure), "BEST", 1.0) == 0 else 1.0
