"""`RelevantRanks`: where the recipients stand in a ranking, all that a measure of rankings needs.

The places are found by `counting`, without sorting the candidates.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError
from cascurve.metrics.counting import count
from cascurve.metrics.value_sums import ValueSums, value_sums


@dataclass(frozen=True)
class RelevantRanks:
    """The recipients of m cascades in the rankings of their queries, by groups of tied candidates.

    A group is a set of candidates with one and the same score, at least one of them a recipient. The groups of
    cascade i are the slice ``offsets[i]:offsets[i + 1]`` of the arrays below, best score first.

    Attributes
    ----------
    n_candidates : int64, shape (m,). Users that the query ranks (score not NaN).
    n_relevant : int64, shape (m,). True recipients, those that the query does not rank included.
    offsets : int64, shape (m + 1,).
    above : int32, shape (groups,). Candidates ranked above the group.
    relevant_above : int32, shape (groups,). Recipients ranked above the group.
    size : int32, shape (groups,). Candidates in the group; 1 where there is no tie.
    relevant : int32, shape (groups,). Recipients in the group, 1 … size.
    recipient_offsets : int64, shape (m + 1,).
    recipient_group : int32, shape (recipients,). Group of each recipient, in the order of infection; -1 = not ranked.
    users : the recipients themselves, aligned with `recipient_group`.
    query_rows : int64, shape (m,). Row of `scores` in which each cascade's query stands.
    scores : float32 or float64, shape (queries, n_users). What was ranked, for the measures that look at values.
    """

    n_candidates: NDArray[np.int64]
    n_relevant: NDArray[np.int64]
    offsets: NDArray[np.int64]
    above: NDArray[np.int32]
    relevant_above: NDArray[np.int32]
    size: NDArray[np.int32]
    relevant: NDArray[np.int32]
    recipient_offsets: NDArray[np.int64]
    recipient_group: NDArray[np.int32]
    users: NDArray[np.int32]
    query_rows: NDArray[np.int64]
    scores: NDArray[Any]

    def __len__(self) -> int:
        return len(self.n_candidates)

    @cached_property
    def n_ranked(self) -> NDArray[np.int64]:
        """Recipients that the query ranks; shape (m,)."""
        placed = np.concatenate([[0], np.cumsum(self.relevant)])
        return placed[self.offsets[1:]] - placed[self.offsets[:-1]]

    @cached_property
    def pairs_won(self) -> NDArray[np.float64]:
        """(Recipient, non-recipient) pairs of candidates in the right order, ties half; shape (m,)."""
        others = self.n_candidates - self.n_ranked
        return _won(self.offsets, self.above, self.relevant_above, self.size, self.relevant, others)

    @cached_property
    def has_probabilities(self) -> NDArray[np.bool_]:
        """Whether the cascade has a recipient and its query ranks users by scores in [0, 1]; shape (m,).

        The other cascades have no value in measures of probabilities.
        """
        return self.value_sums.proper[self.query_rows] & (self.n_relevant > 0)

    @cached_property
    def value_sums(self) -> ValueSums:
        """Sums over the scores of each query."""
        return value_sums(self.scores)

    @cached_property
    def recipient_scores(self) -> NDArray[np.float64]:
        """Score of each recipient, aligned with `users`; 0 where it is not ranked (it was held impossible)."""
        return _recipient_scores(self.scores, self.query_rows, self.recipient_offsets, self.users)

    def has_ties(self) -> bool:
        """Whether any recipient shares its score with another candidate."""
        return bool(self.size.max(initial=1) > 1)


def relevant_ranks(
    scores: NDArray[Any], test: CascadeSet, query_rows: ArrayLike, *, known: ArrayLike = 1
) -> RelevantRanks:
    """Places of the recipients of cascades.

    Parameters
    ----------
    scores : shape (queries, test.n_users), higher = ranked better; NaN = no candidate.
    test : the true cascades.
    query_rows : shape (len(test),), row of `scores` for each cascade.
    known : users at the head of each cascade that the query tells; one number or one per cascade. They are
        neither candidates nor recipients. 1 = the source (set protocol).

    Raises
    ------
    DataError : where shapes do not fit, or where a query ranks one of its own known users.
    """
    rows = np.asarray(query_rows, dtype=np.int64)
    if scores.ndim != 2 or scores.shape[1] != test.n_users:
        raise DataError(f"expected scores of shape (queries, {test.n_users}), found {scores.shape}")
    told = np.minimum(np.broadcast_to(np.asarray(known, dtype=np.int64), len(test)), test.lengths)
    position = np.arange(len(test.users)) - np.repeat(test.offsets[:-1], test.lengths)
    is_known = position < np.repeat(told, test.lengths)
    offsets = np.concatenate([[0], np.cumsum(test.lengths - told)])
    ranks = ranks_of(scores, offsets, test.users[~is_known], rows)
    owner = np.repeat(np.arange(len(test)), told)
    ranked = ~np.isnan(scores[rows[owner], test.users[is_known]])
    if ranked.any():
        first = int(np.argmax(ranked))
        raise DataError(
            f"the query of cascade {owner[first]} ranks user {test.users[is_known][first]}, whom it already knows",
            remedy="give the query's own users the score NaN",
        )
    return ranks


def ranks_of(scores: NDArray[Any], offsets: ArrayLike, users: ArrayLike, query_rows: ArrayLike) -> RelevantRanks:
    """Places of any sets of relevant users: set i is ``users[offsets[i]:offsets[i + 1]]``, no user twice in a set.

    `scores` and `query_rows` as in `relevant_ranks`. O(queries × n_users + users), whatever the number of sets
    per query.
    """
    table = np.ascontiguousarray(scores, dtype=np.float64 if scores.dtype == np.float64 else np.float32)
    bounds = np.ascontiguousarray(offsets, dtype=np.int64)
    items = np.ascontiguousarray(users, dtype=np.int32)
    rows = np.ascontiguousarray(query_rows, dtype=np.int64)
    if len(rows) != len(bounds) - 1:
        raise DataError(f"expected one query row for each of the {len(bounds) - 1} cascades, found {len(rows)}")
    if len(rows) and (rows.min() < 0 or rows.max() >= len(table)):
        raise DataError(f"query rows run from 0 to {len(table) - 1}, found {rows.min()} to {rows.max()}")
    if len(items) and items.view(np.uint32).max() >= table.shape[1]:  # negative numbers are large ones
        raise DataError(f"users run from 0 to {table.shape[1] - 1}, found {items.min()} to {items.max()}")
    order = np.argsort(rows, kind="stable")
    n_candidates, group_counts, group_of, groups = count(_float32(table), bounds, items, rows, order)
    above, relevant_above, size, relevant = groups
    starts = np.concatenate([[0], np.cumsum(group_counts)])
    return RelevantRanks(
        n_candidates,
        np.diff(bounds),
        starts,
        above,
        relevant_above,
        size,
        relevant,
        bounds,
        group_of,
        items,
        rows,
        table,
    )


def _float32(scores: NDArray[Any]) -> NDArray[np.float32]:
    """Float32s in the order of the scores; float64s that no float32 tells apart become ranks."""
    with np.errstate(over="ignore"):
        narrow = np.asarray(scores, np.float32)
    if scores.dtype == np.float32 or np.array_equal(narrow, scores, equal_nan=True):
        return narrow
    for row, values in zip(narrow, scores, strict=True):
        ranked = ~np.isnan(values)
        row[ranked] = np.unique(values[ranked], return_inverse=True)[1]
    return narrow


@njit(cache=True)
def _recipient_scores(
    scores: NDArray[Any], rows: NDArray[np.int64], offsets: NDArray[np.int64], users: NDArray[np.int32]
) -> NDArray[np.float64]:
    values = np.zeros(len(users))
    for i in range(len(rows)):
        row = scores[rows[i]]
        for entry in range(np.uint64(offsets[i]), np.uint64(offsets[i + 1])):
            value = row[np.uint32(users[entry])]
            values[entry] = 0.0 if np.isnan(value) else value
    return values


@njit(cache=True)
def _won(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    relevant_above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    others: NDArray[np.int64],
) -> NDArray[np.float64]:
    won = np.zeros(len(offsets) - 1)
    for cascade in range(len(won)):
        twice = 0
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            mixed = size[g] - relevant[g]
            below = others[cascade] - (above[g] - relevant_above[g]) - mixed
            twice += relevant[g] * (2 * below + mixed)
        won[cascade] = twice / 2
    return won
