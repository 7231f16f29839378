"""The next-user protocol: every true prefix of a cascade is a query, the user who follows it the only recipient."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.metrics.scoring import Measures, score_cascades


def steps(test: CascadeSet) -> tuple[CascadeSet, CascadeSet, NDArray[np.int64]]:
    """(prefixes, truths, cascade): one entry per user who follows another.

    A prefix holds the users up to a step, with times if known. A truth is the pair (last user of the prefix, next
    user), so that the pair's recipients are the next user alone. `cascade` is the index in `test`.
    """
    follows = test.lengths - 1
    cascade = np.repeat(np.arange(len(test)), follows)
    first_step = np.cumsum(follows) - follows
    known = np.arange(len(cascade)) - first_step[cascade] + 1
    whole = test.take(cascade)
    keep = np.arange(len(whole.users)) - np.repeat(whole.offsets[:-1], whole.lengths) < np.repeat(known, whole.lengths)
    offsets = np.concatenate([[0], np.cumsum(known)])
    times = None if whole.times is None else whole.times[keep]
    prefixes = CascadeSet(test.n_users, offsets, whole.users[keep], times)
    last = test.offsets[cascade] + known - 1
    pairs = np.stack([test.users[last], test.users[last + 1]], axis=1).ravel()
    truths = CascadeSet(test.n_users, 2 * np.arange(len(cascade) + 1), pairs)
    return prefixes, truths, cascade


def score_next_user(
    rank: Callable[[CascadeSet], NDArray[Any]], test: CascadeSet, measures: Measures, *, block: int = 256
) -> dict[str, NDArray[np.float64]]:
    """Mean over a cascade's steps, shape (len(test),), by column name ``next:<measure>``.

    Parameters
    ----------
    rank : from prefixes to scores of shape (prefixes, n_users), NaN at the prefix's own users.
    block : cascades that are ranked at a time; it bounds the memory, not the result.

    NaN where a cascade has no step.
    """
    totals: dict[str, NDArray[np.float64]] = {}
    for start in range(0, len(test), block):
        chunk = test.take(np.arange(start, min(start + block, len(test))))
        prefixes, truths, cascade = steps(chunk)
        values = score_cascades(rank(prefixes), truths, np.arange(len(truths)), measures)
        for name, of_steps in values.items():
            total = totals.setdefault(f"next:{name}", np.zeros(len(test)))
            total[start : start + len(chunk)] = np.bincount(cascade, of_steps, minlength=len(chunk))
    follows = test.lengths - 1
    return {
        name: np.divide(total, follows, out=np.full(len(test), np.nan), where=follows > 0)
        for name, total in totals.items()
    }
