"""A model's rankings as recommendations: order, ties, targets, features, relevance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.metrics.next_user import steps
from cascurve.novelty import predictions, scoring
from cascurve.novelty.prefixes import Prefixes
from cascurve.novelty.recommendations import Recommendations

KEY = np.uint64(7)


def queries(*prefixes: list[int], n: int = 6) -> CascadeSet:
    return CascadeSet.of(prefixes, n)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_the_first_k_are_those_of_a_sort(seed, k) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.permuted(np.tile(np.arange(12, dtype=np.float32), (3, 1)), axis=1)
    scores[rng.random(scores.shape) < 0.3] = np.nan
    found, sizes = predictions.first_candidates(scores, np.arange(3, dtype=np.int32), k, KEY)
    for row, users, size in zip(scores, found, sizes, strict=True):
        ranked = [u for u in np.argsort(-row, kind="stable").tolist() if not np.isnan(row[u])]
        assert users[:size].tolist() == ranked[:k]
        assert (users[size:] == -1).all()


def test_ties_are_broken_evenly_and_alike_for_all_models() -> None:
    scores = np.zeros((4000, 5), np.float32)
    scores[:, 4] = -1.0
    sources = np.arange(4000, dtype=np.int32)
    found, _ = predictions.first_candidates(scores, sources, 5, KEY)
    assert (found[:, 4] == 4).all()
    for place in range(4):
        assert np.abs(np.bincount(found[:, place], minlength=5)[:4] - 1000).max() < 4 * np.sqrt(4000 * 3 / 16)
    first, _ = predictions.first_candidates(scores, sources, 2, KEY)
    assert (first == found[:, :2]).all()
    other, _ = predictions.first_candidates(scores, sources, 5, np.uint64(8))
    assert (other != found).any()


def test_the_target_is_the_source_or_who_spread_last() -> None:
    scores = np.array([[np.nan, np.nan, 3, 2, 1, 0], [0, 1, np.nan, 3, 2, 4], [np.nan] * 6], np.float32)
    prefixes = queries([0, 1], [2], [3])
    for target, expected in (("source", [0, 2]), ("last", [1, 2])):
        lists = predictions.recommendations(scores, prefixes, 2, key=KEY, target=target)
        assert lists.targets.tolist() == expected  # the query without candidates has no list
        assert lists.candidates.tolist() == [2, 3, 5, 3]


def test_features_popularity_and_relevance_come_from_the_cascades() -> None:
    train = CascadeSet.of([[0, 1, 2], [0, 2, 3], [4, 1]], 6)
    test = CascadeSet.of([[0, 1, 5], [0, 5], [3, 2]], 6)
    lists = Recommendations.of([(0, [5, 1, 4]), (3, [1, 2]), (5, [0])])
    graph = Graph.from_edges(6, [0, 0, 3], [1, 2, 4], directed=True)
    task = predictions.task(graph, lists, train, predictions.relevance(lists, test))
    assert task.relevance.tolist() == [1.0, 0.5, 0.0, 0.0, 1.0, 0.0]
    assert task.popularity.tolist() == [0, 2, 2, 1, 0, 0]  # a source is not reached
    assert task.features.indptr.tolist() == [0, 2, 4, 6, 7, 8, 8]
    found = scoring.values(task, {"unexpectedness": {}, "epc": {"discount": "none"}}, [1, 2])
    # 0's contacts 1 and 2 share one of two cascades; 5 has none; 3's contact 4 shares one of 1's two
    apart = [0, (0 + 1 / 2) / 2, 1 - 1 / np.sqrt(2), 1, 0]
    assert found["unexpectedness@2"].value == pytest.approx(np.mean(apart))
    assert found["epc@1"].value == pytest.approx(np.mean([1, 1 / 3, 1]))


def test_without_a_network_nothing_is_known_of_links() -> None:
    train = CascadeSet.of([[0, 1, 2]], 3)
    task = predictions.task(None, Recommendations.of([(0, [1, 2])]), train, np.ones(2))
    found = scoring.values(task, {"long_tail": {}, "mean_distance": {}, "average_popularity": {}}, [2])
    assert np.isnan(found["long_tail@2"].value)
    assert np.isnan(found["mean_distance@2"].value)
    assert found["average_popularity@2"].value == 1.0


def test_prefixes_have_their_last_user_as_target() -> None:
    train = CascadeSet.of([[0, 1, 2], [3, 2, 1]], 5)
    test = CascadeSet.of([[0, 1, 3], [4, 2]], 5)
    prefixes = Prefixes(test, 2, KEY)

    def rank(queries: CascadeSet) -> np.ndarray:
        scores = np.tile(np.arange(5, dtype=np.float32), (len(queries), 1))
        scores[np.repeat(np.arange(len(queries)), queries.lengths), queries.users] = np.nan
        return scores

    for cascade in (0, 1):  # as score_next_user does, block by block
        prefixes.watch(rank)(steps(test.take([cascade]))[0])
    task = prefixes.task(Graph.from_edges(5, [0, 1, 4], [1, 3, 3], directed=True), train)
    assert task.lists.targets.tolist() == [0, 1, 4]
    assert task.lists.candidates.tolist() == [4, 3, 4, 3, 3, 2]
    assert task.relevance.tolist() == [0, 0, 0, 1, 0, 1]
    assert task.distances.tolist() == [-1, 2, -1, 1, 1, -1]
