"""The framework's ranking: masks the prefix, and lets no score through that is not a number."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError, DataError
from cascurve.graph import Graph
from cascurve.models.interface import rank, train

PREFIXES = CascadeSet.of([[1], [0, 3]], n_users=4)


@dataclass(frozen=True)
class Says:
    """A fitted model with fixed scores."""

    scores: NDArray[np.float32]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        return self.scores


def test_rank_masks_the_users_of_the_prefix_only() -> None:
    scores = np.arange(8, dtype=np.float32).reshape(2, 4)
    ranking = rank(Says(scores), PREFIXES)
    np.testing.assert_array_equal(ranking, np.array([[0, np.nan, 2, 3], [np.nan, 5, 6, np.nan]], np.float32))
    assert ranking.dtype == np.float32
    assert scores[0, 1] == 1  # the model's own array stays as it was


def test_a_number_is_not_asked_for_at_the_prefix() -> None:
    scores = np.zeros((2, 4), np.float32)
    scores[0, 1] = scores[1, 3] = np.nan
    assert np.isnan(rank(Says(scores), PREFIXES)).sum() == 3


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_candidate_without_a_finite_score_fails_the_cell(value: float) -> None:
    scores = np.zeros((2, 4), np.float32)
    scores[1, 2] = value
    with pytest.raises(CellError, match=r"user 2 for prefix 1 .*finite"):
        rank(Says(scores), PREFIXES)


def test_scores_of_another_shape_are_refused() -> None:
    with pytest.raises(DataError, match=r"expected scores of shape \(2, 4\).*found \(4, 2\)"):
        rank(Says(np.zeros((4, 2), np.float32)), PREFIXES)


@dataclass(frozen=True)
class Sees:
    """A model that remembers what it was given."""

    needs: ClassVar[tuple[str, ...]] = ()

    def fit(self, train: CascadeSet, *, graph: Graph | None, rng: np.random.Generator) -> Graph | None:
        return graph


class NeedsLinks(Sees):
    needs = ("network",)


def test_a_model_is_given_the_network_only_if_it_needs_it() -> None:
    graph = Graph.from_edges(4, [0], [1], directed=True)
    rng = np.random.default_rng(0)
    assert train(Sees(), PREFIXES, graph=graph, rng=rng) is None
    assert train(NeedsLinks(), PREFIXES, graph=graph, rng=rng) is graph
    with pytest.raises(CellError, match="needs the links between users"):
        train(NeedsLinks(), PREFIXES, graph=None, rng=rng)
