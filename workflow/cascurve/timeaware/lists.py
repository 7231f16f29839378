"""Rankings without ties as `RelevantRanks`, from the places of what is true."""

import numpy as np
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def listed(
    offsets: NDArray[np.int64], above: NDArray[np.int64], candidates: NDArray[np.int64], relevant: NDArray[np.int64]
) -> RelevantRanks:
    """Lists in which no two documents tie.

    Parameters
    ----------
    offsets : shape (lists + 1,). The true documents of list i are ``above[offsets[i]:offsets[i + 1]]``.
    above : how many documents stand above each, ascending in each list.
    candidates, relevant : shape (lists,). Documents in the list; true documents, those not in the list included.
    """
    n = len(above)
    one = np.ones(n, np.int32)
    nth = np.arange(n) - np.repeat(offsets[:-1], np.diff(offsets))
    return RelevantRanks(
        n_candidates=candidates,
        n_relevant=relevant,
        offsets=offsets,
        above=above.astype(np.int32),
        relevant_above=nth.astype(np.int32),
        size=one,
        relevant=one,
        recipient_offsets=offsets,
        recipient_group=np.arange(n, dtype=np.int32),
        users=np.zeros(n, np.int32),
        query_rows=np.zeros(len(candidates), np.int64),
        scores=np.full((1, 1), np.nan, np.float32),
    )
