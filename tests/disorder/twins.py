"""Slow readable twins of the pair measures, and random cascades."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from cascurve.cascades import CascadeSet

N_USERS = 7

cascade_sets = st.lists(
    st.lists(st.integers(0, N_USERS - 1), min_size=1, max_size=N_USERS, unique=True), min_size=1, max_size=12
).map(lambda rows: CascadeSet.of(rows, N_USERS))


def random_set(n_users: int, m: int, length: int, seed: int = 0) -> CascadeSet:
    """Cascades of uniformly random users in random order."""
    rng = np.random.default_rng(seed)
    return CascadeSet.of([rng.permutation(n_users)[:length] for _ in range(m)], n_users)


def pairs(cascades: CascadeSet) -> dict[tuple[int, int], tuple[int, int]]:
    """(i, j), i < j -> (cascades with both, cascades with i first)."""
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    for users in cascades:
        for u, v in combinations(users.tolist(), 2):
            n, first = counts.get((min(u, v), max(u, v)), (0, 0))
            counts[min(u, v), max(u, v)] = n + 1, first + (u < v)
    return counts


def entropy(p: float) -> float:
    return -sum(q * math.log2(q) for q in (p, 1 - p) if q > 0)


def table(cascades: CascadeSet) -> list[tuple[int, int, int]]:
    """Sorted (support, minority, pairs)."""
    found = Counter((n, min(a, n - a)) for n, a in pairs(cascades).values())
    return [(n, k, count) for (n, k), count in sorted(found.items())]


def apce(cascades: CascadeSet) -> float:
    """Eq. 5 as it stands in the paper."""
    counts = pairs(cascades).values()
    total = sum(n for n, _ in counts)
    return sum(n / total * entropy(a / n) for n, a in counts) if total else math.nan


def relative(cascades: CascadeSet) -> float:
    counts = pairs(cascades).values()
    null = sum(n * sum(math.comb(n, a) * entropy(a / n) for a in range(n + 1)) / 2**n for n, _ in counts)
    return sum(n * entropy(a / n) for n, a in counts) / null if null else math.nan


def pairwise(cascades: CascadeSet) -> float:
    counts = [(n, a) for n, a in pairs(cascades).values() if n >= 2]
    total = sum(n for n, _ in counts)
    return sum(4 * a * (n - a) / (n - 1) for n, a in counts) / total if total else math.nan
