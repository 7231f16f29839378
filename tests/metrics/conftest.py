"""Small random rankings with ties, gaps and unranked recipients, and measures of them by enumeration."""

from collections.abc import Callable, Iterator
from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of

OfList = Callable[[list[bool], int], float]
"""A measure of one list without ties: (is the i-th place a recipient?, number of recipients) -> value."""
Score = Callable[[RelevantRanks], NDArray[np.float64]]


def orders(scores: list[float]) -> Iterator[list[int]]:
    """Every ranking that agrees with the scores; NaN = no candidate."""
    levels = sorted({s for s in scores if not np.isnan(s)}, reverse=True)
    groups = [[user for user, s in enumerate(scores) if s == level] for level in levels]
    for parts in product(*(permutations(group) for group in groups)):
        yield [user for part in parts for user in part]


def random_cases() -> list[tuple[list[float], list[int]]]:
    rng = np.random.default_rng(20)
    cases = []
    for levels in (1, 2, 3, 4, 50):
        for _ in range(12):
            scores = rng.integers(0, levels, 6).astype(float)
            scores[rng.random(6) < 0.15] = np.nan
            cases.append((scores.tolist(), rng.choice(6, rng.integers(1, 6), replace=False).tolist()))
    return cases


@pytest.fixture(scope="session")
def equals_enumeration() -> Callable[[Score, OfList], None]:
    """Asserts that a measure is the mean over all orders of tied candidates."""
    cases = random_cases()
    lists = [[[user in truth for user in order] for order in orders(scores)] for scores, truth in cases]
    offsets = np.concatenate([[0], np.cumsum([len(truth) for _, truth in cases])])
    ranks = ranks_of(
        np.array([scores for scores, _ in cases], np.float32),
        offsets,
        np.concatenate([truth for _, truth in cases]),
        np.arange(len(cases)),
    )

    def check(score: Score, of_list: OfList) -> None:
        expected = [
            np.mean([of_list(hits, len(truth)) for hits in every])
            for every, (_, truth) in zip(lists, cases, strict=True)
        ]
        np.testing.assert_allclose(score(ranks), expected, rtol=0, atol=1e-12)

    return check


@pytest.fixture(scope="session")
def one_list() -> Callable[..., RelevantRanks]:
    """One ranking of `n` candidates, best first, with recipients at the given places (from 1), and some unranked."""

    def make(places: list[int], n: int, unranked: int = 0) -> RelevantRanks:
        scores = np.concatenate([np.arange(n, 0, -1.0), np.full(unranked, np.nan)])[None]
        truth = [place - 1 for place in places] + list(range(n, n + unranked))
        return ranks_of(scores.astype(np.float32), [0, len(truth)], truth, [0])

    return make


@pytest.fixture(scope="session")
def orders_of() -> Callable[[list[float]], list[list[int]]]:
    """Every ranking that agrees with the scores."""
    return lambda scores: list(orders(scores))
