"""What every model must hold to, whichever modules the folder has.

To check a model of your own, put its module into the folder: the tests find it.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models import saved
from cascurve.models.interface import DiffusionModel, Fitted, Spreading, rank, train

N = 30
SHORT = {"updates": 3000, "steps": 30, "simulations": 5}
"""Parameters by which a model that is trained in steps is trained briefly."""


def make(name: str) -> DiffusionModel:
    known = plugins.parameters("models", name)
    return plugins.load("models", name).Model(**{key: value for key, value in SHORT.items() if key in known})


def cascades(seed: int, count: int = 40, sources: int = 6) -> CascadeSet:
    """Random cascades of 2 to 9 users from few sources, so that some users are never a source."""
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(count):
        source = int(rng.integers(sources))
        others = rng.permutation(np.delete(np.arange(N), source))
        lists.append([source, *others[: rng.integers(1, 9)]])
    return CascadeSet.of(lists, n_users=N)


def ring() -> Graph:
    return Graph.from_edges(N, np.arange(N), (np.arange(N) + 1) % N, directed=False)


def fit(name: str, cascades: CascadeSet, seed: int = 3, graph: Graph | None = None) -> Fitted:
    spreading = Spreading("si", {}, np.random.default_rng(8))
    return train(make(name), cascades, graph=graph or ring(), rng=np.random.default_rng(seed), spreading=spreading)


TRAIN = cascades(1)
SOURCES = CascadeSet.of([[user] for user in range(N)], n_users=N)
LONGER = CascadeSet.of([[0, 9], [7, 0, 20], [25, 3, 2, 1], [0, 9]], n_users=N)
models = pytest.mark.parametrize("name", plugins.names("models"))


def test_the_folder_has_models() -> None:
    assert {"cdk", "frequency", "popularity", "random"} <= set(plugins.names("models"))


@models
def test_equal_generators_give_equal_scores(name: str) -> None:
    first, second = (rank(fit(name, TRAIN), SOURCES) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@models
def test_all_candidates_are_scored_whatever_the_prefix(name: str) -> None:
    fitted = fit(name, TRAIN)
    for prefixes in (SOURCES, LONGER):
        scores = rank(fitted, prefixes)
        assert scores.shape == (len(prefixes), N)
        assert scores.dtype == fitted.score(prefixes).dtype == np.float32
        assert np.isfinite(scores).sum() == len(prefixes) * N - len(prefixes.users)


@models
def test_scores_of_a_prefix_depend_on_no_other_query(name: str) -> None:
    """So a test set can teach a model nothing, and batches can be cut anywhere."""
    fitted = fit(name, TRAIN)
    together = rank(fitted, LONGER)
    apart = np.concatenate([rank(fitted, LONGER.take([query])) for query in (3, 2, 1, 0)])
    np.testing.assert_array_equal(together, apart[::-1])
    np.testing.assert_array_equal(together[0], together[3])


@models
def test_fitting_leaves_the_training_set_and_the_model_alone(name: str) -> None:
    users = TRAIN.users.copy()
    first = rank(fit(name, TRAIN), SOURCES)
    rank(fit(name, cascades(2), seed=4), SOURCES)
    again = rank(fit(name, TRAIN), SOURCES)
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(users, TRAIN.users)


@models
def test_renaming_the_users_renames_the_scores(name: str) -> None:
    """Exactly so for a model without randomness. One that draws, draws by user id: there it holds in law only."""
    if (rank(fit(name, TRAIN, seed=3), SOURCES) != rank(fit(name, TRAIN, seed=4), SOURCES)).sum() > N:  # NaN ≠ NaN
        pytest.skip(f"{name} draws random numbers by user id")
    new = np.random.default_rng(5).permutation(N).astype(np.int32)
    graph = ring()
    renamed_graph = Graph.from_edges(N, new[graph.edge_sources], new[graph.indices], directed=True)
    renamed = fit(name, replace(TRAIN, users=new[TRAIN.users]), graph=renamed_graph)
    scores = rank(fit(name, TRAIN), LONGER)
    np.testing.assert_allclose(rank(renamed, replace(LONGER, users=new[LONGER.users]))[:, new], scores, rtol=1e-5)


@models
@pytest.mark.parametrize("lists", [[[4, 2, 7]], [[4, 2]], [[4]], [list(range(N))]], ids=str)
def test_one_cascade_is_a_training_set(name: str, lists: list[list[int]]) -> None:
    """Also one with a single recipient, with none, and one that reached everyone."""
    assert np.isfinite(rank(fit(name, CascadeSet.of(lists, n_users=N)), SOURCES)).sum() == N * (N - 1)


@models
def test_what_was_learned_beats_chance_on_itself(name: str) -> None:
    """On cascades that always run the same way, along links; the random ranking is the exception that must not."""
    always = CascadeSet.of([[0, 5, 6, 7], [1, 8, 9, 10]] * 10, n_users=N)
    paths = Graph.from_edges(N, [0, 5, 6, 1, 8, 9], [5, 6, 7, 8, 9, 10], directed=True)
    scores = rank(fit(name, always, graph=paths), SOURCES.take([0, 1]))
    reached = [scores[0, [5, 6, 7]].min(), scores[1, [8, 9, 10]].min()]
    never = [np.nanmax(scores[:, 11:])] * 2
    assert (np.array(reached) > never).all() == (name != "random")


@models
def test_a_saved_model_scores_as_it_did(name: str, tmp_path: Path) -> None:
    fitted = fit(name, TRAIN)
    saved.save(fitted, tmp_path / "model.npz")
    again = saved.load(tmp_path / "model.npz")
    for prefixes in (SOURCES, LONGER):
        np.testing.assert_array_equal(rank(again, prefixes), rank(fitted, prefixes))
