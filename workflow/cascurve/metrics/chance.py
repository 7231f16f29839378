"""What a random ranking scores: the floor under every measure.

A random order of the candidates is one group of ties that holds them all. The measures take ties in expectation,
so each measure's own `score` of that group is its exact chance level, and its `score` of the recipients alone on
top is the best that any ranking can reach. For measures of the scores' values, which have no value there,
`monte_carlo` deals the scores out at random.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of


def average_precision(
    n_candidates: ArrayLike, n_relevant: ArrayLike, kept: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Expected average precision (eq. 1) of a random ranking: [H_K + (K - H_K)(R - 1)/(N - 1)]/N.

    Parameters
    ----------
    n_candidates : N, ranked users; the source is none of them.
    n_relevant : R, recipients; all of them candidates.
    kept : K, ranks kept; None = all.

    Returns
    -------
    float64, the arguments broadcast; NaN where there is no recipient.
    """
    n, r = np.broadcast_arrays(np.asarray(n_candidates, np.int64), np.asarray(n_relevant, np.int64))
    k = n if kept is None else np.minimum(np.asarray(kept, np.int64), n)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, max(int(np.max(k, initial=0)), 1) + 1))])[k]
    others = np.divide(r - 1, n - 1, out=np.zeros(n.shape), where=n > 1)
    return np.where(r > 0, (harmonic + (k - harmonic) * others) / np.maximum(n, 1), np.nan)


def random_ranking(ranks: RelevantRanks) -> RelevantRanks:
    """The same queries with all candidates tied: measures of it are exact chance levels."""
    filled = ranks.n_ranked > 0
    starts = np.concatenate([[0], np.cumsum(filled)])
    zero = np.zeros(starts[-1], np.int32)
    return replace(
        _without_values(ranks),
        offsets=starts,
        above=zero,
        relevant_above=zero,
        size=ranks.n_candidates[filled].astype(np.int32),
        relevant=ranks.n_ranked[filled].astype(np.int32),
        recipient_group=np.where(ranks.recipient_group < 0, -1, starts[_owner(ranks)]).astype(np.int32),
    )


def perfect_ranking(ranks: RelevantRanks) -> RelevantRanks:
    """The same queries with the recipients on top, in their true order: the best that a ranking can reach."""
    starts = np.concatenate([[0], np.cumsum(ranks.n_ranked)])
    ranked = ranks.recipient_group >= 0
    place = (np.arange(starts[-1]) - starts[_owner(ranks)[ranked]]).astype(np.int32)
    group = np.full(len(ranked), -1, np.int32)
    group[ranked] = np.arange(starts[-1])
    one = np.ones(starts[-1], np.int32)
    return replace(
        _without_values(ranks),
        offsets=starts,
        above=place,
        relevant_above=place,
        size=one,
        relevant=one,
        recipient_group=group,
    )


def monte_carlo(
    ranks: RelevantRanks,
    score: Callable[[RelevantRanks], NDArray[np.float64]],
    *,
    draws: int = 200,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Chance level of any measure, and its standard error, from `draws` >= 2 random rankings.

    Each draw deals a query's scores out anew among its candidates. Returns (mean, standard error), shape (m,).
    """
    sums, squares = np.zeros(len(ranks)), np.zeros(len(ranks))
    dealt = ranks.scores.copy()
    for _ in range(draws):
        for row in dealt:
            candidates = np.flatnonzero(~np.isnan(row))
            row[candidates] = row[rng.permutation(candidates)]
        values = score(ranks_of(dealt, ranks.recipient_offsets, ranks.users, ranks.query_rows))
        sums += values
        squares += values**2
    mean = sums / draws
    variance = np.maximum(squares / draws - mean**2, 0.0) * draws / (draws - 1)
    return mean, np.sqrt(variance / draws)


def _owner(ranks: RelevantRanks) -> NDArray[np.int64]:
    """Cascade of each recipient."""
    return np.repeat(np.arange(len(ranks)), np.diff(ranks.recipient_offsets))


def _without_values(ranks: RelevantRanks) -> RelevantRanks:
    """The same places, with scores that say nothing."""
    nothing = np.full((1, ranks.scores.shape[1]), np.nan, np.float32)
    return replace(ranks, query_rows=np.zeros(len(ranks), np.int64), scores=nothing)
