"""The next-user protocol."""

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.metrics.next_user import score_next_user, steps

TEST = CascadeSet.of([[3, 0, 2], [1], [0, 1]], 5, [[0.0, 1.0, 2.0], [5.0], [1.0, 3.0]])


def test_steps_are_the_true_prefixes() -> None:
    prefixes, truths, cascade = steps(TEST)
    assert [list(c) for c in prefixes] == [[3], [3, 0], [0]]
    assert [list(c) for c in truths] == [[3, 0], [0, 2], [0, 1]]
    assert cascade.tolist() == [0, 0, 2]
    assert prefixes.times is not None
    assert prefixes.times.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("block", [1, 2, 256])
def test_scores_are_means_over_steps(block) -> None:
    """Users ranked by their number, highest first: average precision is the reciprocal rank of the next user."""

    def rank(prefixes: CascadeSet) -> np.ndarray:
        scores = np.tile(np.arange(5, dtype=np.float32), (len(prefixes), 1))
        for row, prefix in zip(scores, prefixes, strict=True):
            row[prefix] = np.nan
        return scores

    measures = {"average_precision": {}, "success": {"k": 2}}
    values = score_next_user(rank, TEST, measures, block=block)
    assert list(values) == ["next:ap", "next:success@2"]
    np.testing.assert_allclose(values["next:ap"], [(1 / 4 + 1 / 2) / 2, np.nan, 1 / 4])
    np.testing.assert_allclose(values["next:success@2"], [0.5, np.nan, 0])
