"""All pairs of a cascade set, one by one: on request, since their number grows with the square of the users."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_counts import NO_ROUND, all_partners, count_partners, counter, next_round, read_counter
from cascurve.disorder.pair_index import PairIndex, pair_index


@dataclass(frozen=True)
class Pairs:
    """The unordered pairs of users that occur together, ascending by (i, j).

    Attributes
    ----------
    i, j : int32, shape (pairs,); i < j.
    support : int64, shape (pairs,). n_ij: cascades with both.
    forward : int64, shape (pairs,). Cascades in which i comes before j.
    """

    i: NDArray[np.int32]
    j: NDArray[np.int32]
    support: NDArray[np.int64]
    forward: NDArray[np.int64]

    def entropy(self) -> NDArray[np.float64]:
        """PCE_ij of each pair (the paper's eq. 4), in bits."""
        p = np.stack([self.forward, self.support - self.forward]) / self.support
        logs = np.log2(p, out=np.zeros_like(p), where=p > 0)
        return np.asarray(np.abs((p * logs).sum(axis=0)))


def list_pairs(cascades: CascadeSet) -> Pairs:
    """All pairs with their counts; 24 bytes each."""
    index = pair_index(cascades)
    n_pairs = int(_emit(counter(index), index, np.empty((0, 4), np.int32)))
    rows = np.empty((n_pairs, 4), np.int32)
    _emit(counter(index), index, rows)
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    return Pairs(rows[:, 0], rows[:, 1], rows[:, 2].astype(np.int64), rows[:, 3].astype(np.int64))


def pce_matrix(cascades: CascadeSet) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """PCE_ij in bits (NaN where two users never occur together, and on the diagonal) and n_ij; shape (N, N) each."""
    pairs = list_pairs(cascades)
    size = cascades.n_users
    entropy, support = np.full((size, size), np.nan), np.zeros((size, size), np.int64)
    for i, j in ((pairs.i, pairs.j), (pairs.j, pairs.i)):
        entropy[i, j] = pairs.entropy()
        support[i, j] = pairs.support
    return entropy, support


@njit(cache=True)
def _emit(counters: NDArray[Any], index: PairIndex, rows: NDArray[np.int32]) -> int:
    """Write (i, j, support, forward) of each pair into `rows` if it has room; returns the number of pairs."""
    seen = np.empty(len(counters) + 1, np.uint32)
    partners, now = all_partners(index), NO_ROUND
    n_pairs = 0
    for rank in range(len(index.users)):
        now = next_round(counters, rank, index, now)
        n_seen, _ = count_partners(counters, seen, 1, rank, index, partners, now)
        for item in range(n_seen if n_pairs < len(rows) else 0):
            user, partner = index.users[rank], index.users[seen[item]]
            support, partner_first = read_counter(counters, seen[item], now)
            row = rows[n_pairs + item]
            row[0], row[1], row[2] = min(user, partner), max(user, partner), support
            row[3] = partner_first if partner < user else support - partner_first
        n_pairs += n_seen
    return n_pairs
