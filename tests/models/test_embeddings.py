"""CDK, PAE and IAE: what their spaces are; and how well all models rank real cascades."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.formats import topolstm
from cascurve.metrics import average_precision
from cascurve.metrics.relevant_ranks import relevant_ranks
from cascurve.models import cdk, iae, pae
from cascurve.models.interface import DiffusionModel, rank

FOLDERS = {"twitter": "twitter_topolstm", "android": "android_infvae"}
Real = Callable[[str], DataSet]


@pytest.fixture(scope="module")
def real(shared_data: Path) -> Real:
    """The real sets with their given splits."""

    @cache
    def read(name: str) -> DataSet:
        files = {part: shared_data / FOLDERS[name] / f"{part}.txt" for part in ("train", "test")}
        imported = topolstm.read(files)
        return DataSet(*(imported.cascades.take(imported.in_part(part)) for part in files))

    return read


def mean_average_precision(model: DiffusionModel, data: DataSet, seed: int = 0) -> float:
    """MAP on the test cascades, all users but the source ranked."""
    fitted = model.fit(data.train, graph=None, rng=np.random.default_rng(seed))
    queries = CascadeSet(data.n_users, np.arange(len(data.test) + 1), data.test.sources)
    ranks = relevant_ranks(rank(fitted, queries), data.test, np.arange(len(data.test)))
    return float(average_precision.score(ranks).mean())


def load(name: str, **parameters: object) -> DiffusionModel:
    return plugins.load("models", name).Model(**parameters)


def test_spaces() -> None:
    """CDK has one point per user, PAE two, IAE one per training source and one per pair of training source and user."""
    train = CascadeSet.of([[0, 1, 2], [3, 2], [0, 3]], n_users=6)
    rows = {}
    for module in (cdk, pae, iae):
        fitted = module.Model(updates=10).fit(train, rng=np.random.default_rng(0))
        rows[module.__name__] = fitted.points.shape
        layout = fitted.layout
        for source in np.flatnonzero(layout.sender >= 0):
            used = {int(layout.sender[source]), *(layout.receivers[source] + np.arange(6)).tolist()}
            assert max(used) < layout.n_points
            assert len(used) == (6 if module is cdk else 7)
    assert rows == {cdk.__name__: (6, 24), pae.__name__: (12, 24), iae.__name__: (14, 24)}


@pytest.mark.parametrize("module", [cdk, pae, iae])
def test_spaces_of_sources_are_apart_in_iae_only(module: ModuleType) -> None:
    """What the cascades of another source say changes no bit of what IAE says of this one."""
    fitted = [
        module.Model(updates=500).fit(
            CascadeSet.of([[0, 1, 2], other, [0, 2, 4]] * 5, n_users=6), rng=np.random.default_rng(0)
        )
        for other in ([3, 5, 4], [3, 2, 1])
    ]
    first, second = (model.score(CascadeSet.of([[0], [3]], n_users=6)) for model in fitted)
    assert (first[0].tobytes() == second[0].tobytes()) == (module is iae)
    assert first[1].tobytes() != second[1].tobytes()
    layout = fitted[0].layout
    spaces = [set(range(layout.receivers[s], layout.receivers[s] + 6)) | {layout.sender[s]} for s in (0, 3)]
    assert bool(spaces[0] & spaces[1]) == (module is not iae)


def test_a_source_unseen_in_training_has_the_scores_of_the_fallback() -> None:
    train = CascadeSet.of([[0, 1, 2], [3, 2], [0, 2]], n_users=5)
    queries = CascadeSet.of([[0], [3], [4]], n_users=5)
    average, popularity = (
        iae.Model(updates=100, fallback=fallback).fit(train, rng=np.random.default_rng(0)).score(queries)
        for fallback in ("average", "popularity")
    )
    np.testing.assert_array_equal(average[:2], popularity[:2])
    np.testing.assert_allclose(average[2], (2 * average[0] + average[1]) / 3, rtol=1e-5)
    assert popularity[2].tolist() == [0, 1, 3, 0, 0]


def test_earlier_users_are_senders_where_triplets_are_anchored_at_them() -> None:
    """In PAE; there whoever is always the last of a cascade has never sent."""
    train = CascadeSet.of([[0, 1, 2], [3, 1]], n_users=5)
    for anchor, known in (("source", [0, 3]), ("earlier", [0, 1, 3])):
        fitted = pae.Model(updates=100, anchor=anchor).fit(train, rng=np.random.default_rng(0))
        assert np.flatnonzero(fitted.layout.sender >= 0).tolist() == known


@pytest.mark.parametrize("name", ["cdk", "pae", "iae"])
@pytest.mark.parametrize("distance", ["squared", "plain"])
def test_more_capacity_fits_the_training_set_better(name: str, distance: str) -> None:
    """Random cascades hold nothing but themselves: in 2 dimensions they cannot be learned by heart, in 32 they can."""
    rng = np.random.default_rng(1)
    train = CascadeSet.of([[s, *rng.permutation(np.arange(20, 60))[:8]] for s in range(20)], n_users=60)
    data = DataSet(train, train)
    fit = {"distance": distance, "updates": 300_000}
    narrow, wide = (mean_average_precision(load(name, dimension=d, **fit), data) for d in (2, 32))
    assert wide > 0.9
    assert wide > narrow or name == "iae"  # which has a space per source and needs no room


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("popularity", 0.096, 0.099),
        ("frequency", 0.263, 0.267),
        ("pair_count", 0.26, 0.30),
        ("cdk", 0.26, 0.29),
        ("pae", 0.235, 0.28),
        ("iae", 0.235, 0.27),
    ],
)
def test_quality_on_twitter(real: Real, name: str, low: float, high: float) -> None:
    """Other code has .094 to .097 for popularity, by the rule for ties, .267 for pair counts, .267 to .274 for CDK."""
    assert low < mean_average_precision(load(name), real("twitter")) < high


@pytest.mark.parametrize(("name", "low", "high"), [("popularity", 0.057, 0.060), ("cdk", 0.026, 0.05)])
def test_quality_on_android(real: Real, name: str, low: float, high: float) -> None:
    """Here the embeddings stay below popularity, as in other code (.026 to .030 against .059)."""
    assert low < mean_average_precision(load(name), real("android")) < high


@pytest.mark.slow
def test_embedded_ic_on_real_sets(real: Real) -> None:
    """Near popularity on Android, where the heat kernel is not; on Twitter it wants more updates than the default."""
    longer = load("embedded_ic", learning_rate=1.0, updates=4_000_000, simulations=0)
    assert 0.2 < mean_average_precision(longer, real("twitter")) < 0.29
    assert 0.045 < mean_average_precision(load("embedded_ic", simulations=0), real("android")) < 0.065
