"""Who is predicted to be infected when a probability must become a decision."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.metrics.relevant_ranks import RelevantRanks


class Decisions(NamedTuple):
    """Counts per cascade, each of shape (m,): users predicted, recipients among them, candidates in all."""

    predicted: NDArray[np.int64]
    right: NDArray[np.int64]
    candidates: NDArray[np.int64]


def decide(ranks: RelevantRanks, threshold: float) -> Decisions:
    """Predict every candidate with a probability of at least `threshold`, 0 < threshold < 1.

    A recipient that is not ranked counts as a candidate with probability 0.
    """
    if not 0 < threshold < 1:
        raise ConfigError("threshold", threshold, "a number between 0 and 1, both excluded")
    per_query = _at_least(ranks.scores, threshold)
    found = np.concatenate([[0], np.cumsum(ranks.recipient_scores >= threshold)])
    right = found[ranks.recipient_offsets[1:]] - found[ranks.recipient_offsets[:-1]]
    return Decisions(per_query[ranks.query_rows], right, ranks.n_candidates + ranks.n_relevant - ranks.n_ranked)


@njit(cache=True)
def _at_least(scores: NDArray[Any], threshold: float) -> NDArray[np.int64]:
    """Scores of each query that are at least the threshold; comparisons with NaN are false."""
    counts = np.zeros(len(scores), np.int64)
    for i in range(len(scores)):
        count = np.int32(0)
        for value in scores[i]:
            count = np.int32(count + np.int32(value >= threshold))
        counts[i] = count
    return counts
