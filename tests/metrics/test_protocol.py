"""Variants of candidates and recipients."""

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.metrics.protocol import count_source, named, reachable, restrict, seen
from cascurve.metrics.scoring import score_cascades

TEST = CascadeSet.of([[0, 2, 4]], 5)
SCORES = np.array([[np.nan, 4, 3, 2, 1]], np.float32)


def test_restricted_candidates() -> None:
    train = CascadeSet.of([[0, 2], [3]], 5)
    assert seen(train).tolist() == [True, False, True, True, False]
    values = score_cascades(restrict(SCORES, seen(train)), TEST, [0], {"average_precision": {}})
    np.testing.assert_allclose(named("seen", values)["seen:ap"], [1 / 2])  # user 4 is never found


def test_reachable_users() -> None:
    graph = Graph.from_edges(5, [0, 1, 3], [1, 2, 0], directed=True)
    assert reachable(graph, np.array([0, 4])).tolist() == [
        [True, True, True, False, False],
        [False, False, False, False, True],
    ]


def test_source_counted_as_a_hit() -> None:
    values = score_cascades(count_source(SCORES, TEST.sources), TEST, [0], {"average_precision": {}}, known=0)
    np.testing.assert_allclose(values["ap"], [(1 + 2 / 3 + 3 / 5) / 3])
    assert np.isnan(SCORES[0, 0])
