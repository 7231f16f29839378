"""Random, popularity, frequency, pair counts and mean rank: scores that can be counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cascurve.cascades import CascadeSet
from cascurve.models import frequency, mean_rank, pair_count, popularity, random

TRAIN = CascadeSet.of([[0, 1, 2], [0, 2, 3], [4, 3, 1, 0], [0, 5]], n_users=7)
RNG = np.random.default_rng(0)


def test_popularity_counts_cascades_that_reached_a_user_not_those_it_began() -> None:
    scores = popularity.Model().fit(TRAIN, rng=RNG).score(CascadeSet.of([[0], [6, 1]], n_users=7))
    np.testing.assert_array_equal(scores, [[1, 2, 2, 2, 0, 1, 0]] * 2)


def test_frequency_ranks_by_the_source_then_by_popularity() -> None:
    """From source 0: user 2 was reached twice; 1, 3 and 5 once, and 1 and 3 are more popular than 5."""
    fitted = frequency.Model().fit(TRAIN, rng=RNG)
    scores = fitted.score(CascadeSet.of([[0], [6], [4], [0, 6]], n_users=7))
    np.testing.assert_array_equal(scores[0], [1, 3, 4, 3, 0, 2, 0])
    np.testing.assert_array_equal(scores[1], [1, 2, 2, 2, 0, 1, 0])  # an unseen source: popularity
    np.testing.assert_array_equal(scores[2], [3, 4, 2, 4, 0, 1, 0])
    np.testing.assert_array_equal(scores[3], scores[0])  # users after the source do not matter


counts = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=20)


@given(counts)
def test_lexicographic_ranks_order_and_tie_as_pairs_do(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs).T
    ranks = frequency.lexicographic(first, second)
    assert sorted(set(ranks)) == list(range(len(set(pairs))))
    assert [pairs[i] for i in np.argsort(ranks, kind="stable")] == sorted(pairs)


def test_random_scores_are_uniform_and_differ_between_queries() -> None:
    fitted = random.Model().fit(TRAIN, rng=np.random.default_rng(2))
    scores = fitted.score(CascadeSet.of([[user] for user in range(200)] + [[1, 0], [0, 1]], n_users=200))
    assert stats.kstest(scores.ravel(), "uniform").pvalue > 1e-4
    assert len(np.unique(scores[:, 0])) == len(scores)
    between = np.corrcoef(scores)[np.triu_indices(len(scores), 1)]
    assert abs(between.mean()) < 4 / np.sqrt(between.size * 200)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_scores_follow_the_generator(seed: int) -> None:
    query = CascadeSet.of([[0]], n_users=7)
    same = [random.Model().fit(TRAIN, rng=np.random.default_rng(s)).score(query) for s in (seed, seed, seed + 2)]
    assert (same[0] == same[1]).all()
    assert (same[0] != same[2]).all()


def test_pair_counts_take_any_cascade_that_holds_the_user() -> None:
    """After user 1: 2 once, 0 once; user 0 is less popular than 2. After 0 or 2: 1, 3 (twice), 5, 2."""
    fitted = pair_count.Model().fit(TRAIN, rng=RNG)
    scores = fitted.score(CascadeSet.of([[1], [0, 2], [6]], n_users=7))
    np.testing.assert_array_equal(scores[0], [3, 2, 4, 2, 0, 1, 0])
    np.testing.assert_array_equal(scores[1], [1, 3, 4, 4, 0, 2, 0])
    np.testing.assert_array_equal(scores[2], [1, 2, 2, 2, 0, 1, 0])


@given(st.lists(st.permutations(range(6)).flatmap(lambda p: st.integers(1, 6).map(lambda k: p[:k])), min_size=1))
def test_pair_counts_equal_their_definition(lists: list[list[int]]) -> None:
    fitted = pair_count.Model().fit(CascadeSet.of(lists, n_users=6), rng=RNG)
    pairs = [(v, u) for users in lists for place, v in enumerate(users) for u in users[place + 1 :]]
    popular = [sum(u in users[1:] for users in lists) for u in range(6)]
    for prefix in ([0], [3, 1]):
        keys = [(sum((v, u) in [pair] for pair in pairs for v in prefix), popular[u]) for u in range(6)]
        ranks = [sorted(set(keys)).index(key) for key in keys]
        np.testing.assert_array_equal(fitted.score(CascadeSet.of([prefix], n_users=6))[0], ranks)


@given(st.lists(st.permutations(range(1, 6)).flatmap(lambda p: st.integers(0, 5).map(lambda k: p[:k])), min_size=1))
def test_mean_rank_orders_by_mean_place_then_by_popularity(lists: list[list[int]]) -> None:
    """From one source, N = 6, so that places 1 … 5 are for the others; whoever is left out shares the last ones."""
    train = CascadeSet.of([[0, *users] for users in lists] + [[5, 1]], n_users=6)
    scores = mean_rank.Model().fit(train, rng=RNG).score(CascadeSet.of([[0]], n_users=6))[0]
    places = [[users.index(u) + 1 if u in users else (len(users) + 6) / 2 for users in lists] for u in range(1, 6)]
    popular = [sum(u in users for users in lists) + (u == 1) for u in range(1, 6)]
    keys = [(-2 * sum(place), count) for place, count in zip(places, popular, strict=True)]
    assert [np.sum(scores[1:] < score) for score in scores[1:]] == [sum(k < key for k in keys) for key in keys]
