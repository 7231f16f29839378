import numpy as np
import pytest
from hypothesis import given
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder.pair_matrix import list_pairs, pce_matrix


@given(twins.cascade_sets)
def test_pairs_equal_the_twin(cascades: CascadeSet) -> None:
    found = list_pairs(cascades)
    expected = sorted(twins.pairs(cascades).items())
    assert [((i, j), (n, a)) for i, j, n, a in zip(*vars(found).values(), strict=True)] == expected


def test_matrix_of_the_papers_example() -> None:
    entropy, support = pce_matrix(CascadeSet.of([[1, 2, 3, 4], [1, 3, 2]]))
    assert (entropy[1, 2], entropy[2, 3], entropy[3, 2], entropy[3, 4]) == (0, 1, 1, 0)
    assert (support[1, 2], support[2, 3], support[3, 4], support[0, 1]) == (2, 2, 1, 0)
    assert np.isnan(entropy[0]).all() and np.isnan(np.diag(entropy)).all()


def test_entropy_of_pairs() -> None:
    pairs = list_pairs(CascadeSet.of([[0, 1], [0, 1], [0, 1], [1, 0]]))
    assert pairs.entropy() == pytest.approx([twins.entropy(0.25)])
