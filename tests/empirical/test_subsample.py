"""Subsampling to a fixed length."""

from itertools import pairwise

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.empirical.subsample import subsample
from cascurve.errors import CellError, ConfigError
from cascurve.formats import account, topolstm
from cascurve.formats.imported import Imported
from cascurve.graph import Graph


@pytest.fixture
def imported() -> Imported:
    """200 cascades of 2 to 30 users out of 100, with times, a ring as the network, three parts."""
    rng = np.random.default_rng(5)
    lengths = rng.integers(2, 31, 200)
    cascades = CascadeSet.of(
        [rng.permutation(100)[:length] for length in lengths], 100, [np.sort(rng.random(length)) for length in lengths]
    )
    ring = Graph.from_edges(100, np.arange(100), np.roll(np.arange(100), 1), directed=False)
    whole = Imported.of(cascades, ring)
    parts = np.repeat(np.arange(3, dtype=np.int16), [140, 20, 40])
    return Imported(whole.cascades, whole.labels, ring, ("train", "valid", "test"), parts, whole.lines, whole.account)


def originals(imported: Imported, drawn, part: str):
    """(original cascade, drawn cascade in the import's numbering)."""
    origin = drawn.train_origin if part == "train" else drawn.test_origin
    whole = list(imported.cascades)
    for index, cascade in zip(origin, getattr(drawn.dataset, part), strict=True):
        yield whole[index].tolist(), drawn.users[cascade].tolist()


@pytest.mark.parametrize("keep_source", [True, False])
def test_fixed_length_order_and_source_kept(imported, rng, keep_source) -> None:
    drawn = subsample(imported, 10, keep_source=keep_source, rng=rng)
    sources = []
    for part in ("train", "test"):
        for whole, chosen in originals(imported, drawn, part):
            places = [whole.index(user) for user in chosen]
            assert len(chosen) == 10
            assert all(a < b for a, b in pairwise(places))
            sources.append(places[0] == 0)
    assert all(sources) == keep_source


def test_times_go_with_their_users(imported, rng) -> None:
    drawn = subsample(imported, 5, rng=rng)
    times = drawn.dataset.train.times
    whole = imported.cascades
    origin = drawn.train_origin[3]
    known = dict(zip(list(whole)[origin], whole.times[whole.offsets[origin] : whole.offsets[origin + 1]], strict=True))
    users = drawn.users[list(drawn.dataset.train)[3]]
    assert [known[user] for user in users] == times[15:20].tolist()


def test_population_graph_and_account(imported, rng) -> None:
    drawn = subsample(imported, 25, rng=rng, min_train=1, min_test=1)
    train, test = drawn.dataset.train, drawn.dataset.test
    assert drawn.dataset.n_users == len(drawn.users) == drawn.graph.n_nodes
    assert set(train.users) | set(test.users) == set(range(len(drawn.users))), "N is the propagation sub-graph"
    links = set(zip(drawn.users[drawn.graph.edge_sources], drawn.users[drawn.graph.indices], strict=True))
    inside = set(drawn.users.tolist())
    ring = imported.graph
    assert links == {(u, v) for u in inside for v in ring.targets(u).tolist() if v in inside}
    kept = account.total(drawn.account)
    entries = len(train.users) + len(test.users)
    assert kept == account.Step("kept", len(train) + len(test), len(drawn.users), entries, drawn.graph.n_links)


@pytest.mark.parametrize(("population", "size"), [("cascades", 4), ("network", 6)])
def test_larger_populations(rng, population, size) -> None:
    cascades = CascadeSet.of([[0, 1, 2], [1, 2, 0], [3, 2]], 6)
    drawn = subsample(Imported.of(cascades), 3, population=population, test_share=0.5, min_train=1, min_test=1, rng=rng)
    assert drawn.dataset.n_users == size


def test_shorter_draws_are_subsets_and_do_not_depend_on_other_cascades(imported) -> None:
    short = subsample(imported, 6, rng=np.random.default_rng(3))
    long = subsample(imported, 12, rng=np.random.default_rng(3))
    of_short = {
        index: set(users)
        for index, (_, users) in zip(short.train_origin, originals(imported, short, "train"), strict=True)
    }
    shared = 0
    for index, (_, users) in zip(long.train_origin, originals(imported, long, "train"), strict=True):
        if index in of_short:
            shared += 1
            assert of_short[index] < set(users)
    assert shared > 50


def test_every_user_is_drawn_alike() -> None:
    """In 20 000 draws of 3 of 5 with the source kept, each recipient has probability 1/2."""
    cascades = CascadeSet.of([[0, 1, 2, 3, 4]] * 20_000)
    drawn = subsample(Imported.of(cascades), 3, rng=np.random.default_rng(0))
    counts = np.bincount(drawn.dataset.train.users, minlength=5) / len(drawn.dataset.train)
    assert counts[0] == 1
    assert np.abs(counts[1:] - 0.5).max() < 5 * np.sqrt(0.25 / 16_000)


def test_replicates_differ_and_repeat(imported) -> None:
    def users(seed):
        return subsample(imported, 10, rng=np.random.default_rng(seed)).dataset.train.users.tolist()

    assert users(1) == users(1)
    assert users(1) != users(2)


def test_given_split(imported, rng) -> None:
    drawn = subsample(imported, 10, split="given", rng=rng)
    assert drawn.test_origin.min() >= 160
    assert drawn.train_origin.max() < 160


def test_chronological_split(imported, rng) -> None:
    drawn = subsample(imported, 10, split="chronological", rng=rng)
    starts = imported.cascades.times[imported.cascades.offsets[:-1]]
    assert starts[drawn.train_origin].max() <= starts[drawn.test_origin].min()


def test_split_by_source(imported, rng) -> None:
    drawn = subsample(imported, 10, split="source", rng=rng)
    sources = imported.cascades.sources
    assert not set(sources[drawn.train_origin]) & set(sources[drawn.test_origin])
    assert len(drawn.test_origin) >= round(0.2 * (len(drawn.test_origin) + len(drawn.train_origin)))


def test_split_by_source_takes_no_source_too_many_and_goes_by_the_stream() -> None:
    """Ten sources of ten cascades each: a quarter is three sources, not two, and which ones depends on the stream."""
    even = Imported.of(CascadeSet.of([[place % 10, 10 + place] for place in range(100)]))
    chosen = set()
    for seed in range(6):
        drawn = subsample(even, 2, split="source", test_share=0.25, rng=np.random.default_rng(seed))
        sources = set((drawn.test_origin % 10).tolist())
        assert (len(drawn.test_origin), len(sources)) == (30, 3)
        chosen.add(frozenset(sources))
    assert len(chosen) > 1


def test_random_split_has_the_share_and_keeps_a_cascades_place(imported) -> None:
    """A cascade changes its part between two lengths only where the number of test cascades asks for it."""
    short, long = (subsample(imported, length, rng=np.random.default_rng(4)) for length in (5, 15))
    for drawn in (short, long):
        count = len(drawn.test_origin) + len(drawn.train_origin)
        assert len(drawn.test_origin) == round(0.2 * count)
    moved = set(short.test_origin) & set(long.train_origin)
    assert len(moved) < 0.3 * len(long.test_origin) + 5


def test_too_few_long_cascades(imported, rng) -> None:
    with pytest.raises(CellError, match=r"\d+ of 200 cascades have 30 users or more; needed are 20 for training and 5"):
        subsample(imported, 30, rng=rng)


def test_a_length_that_cannot_be(imported, rng) -> None:
    with pytest.raises(ConfigError, match=r"lengths.*at least 2"):
        subsample(imported, 1, rng=rng)
    with pytest.raises(CellError, match="0 of 200 cascades have 101 users or more"):
        subsample(imported, 101, rng=rng)


def test_users_not_seen_in_training_are_not_drawn(imported) -> None:
    sparse = CascadeSet.of([cascade + 100 * (i % 40 == 0) for i, cascade in enumerate(imported.cascades)], 200)
    source = Imported.of(sparse)
    plain, drawn = (subsample(source, 8, unseen_users=rule, rng=np.random.default_rng(2)) for rule in ("keep", "drop"))
    seen, asked = (set(part.users.tolist()) for part in (drawn.dataset.train, drawn.dataset.test))
    assert asked <= seen
    assert not set(plain.dataset.test.users.tolist()) <= set(plain.dataset.train.users.tolist())
    assert plain.train_origin.tolist() == drawn.train_origin.tolist(), "training is as it was"
    assert set(drawn.test_origin) < set(plain.test_origin)
    kept = account.total(drawn.account)
    assert kept.participations == len(drawn.dataset.train.users) + len(drawn.dataset.test.users)
    assert (kept.cascades, kept.users) == (len(drawn.train_origin) + len(drawn.test_origin), drawn.dataset.n_users)


def test_a_leak_is_a_warning_or_an_error(imported, rng) -> None:
    drawn = subsample(imported, 10, rng=rng)
    assert any("begin after the first test cascade" in warning for warning in account.warnings(drawn.account))
    assert not account.warnings(subsample(imported, 10, split="chronological", leakage="error", rng=rng).account)
    with pytest.raises(ConfigError, match=r"subsample.leakage.*the future"):
        subsample(imported, 10, leakage="error", rng=rng)


def test_given_split_needs_parts(rng) -> None:
    with pytest.raises(ConfigError, match=r"subsample.split.*train and test"):
        subsample(Imported.of(CascadeSet.of([[0, 1]] * 50)), 2, split="given", rng=rng)


@pytest.mark.parametrize(("length", "counts"), [(10, (506, 3407)), (40, (41, 901))])
def test_twitter(shared_data, rng, length, counts) -> None:
    folder = shared_data / "twitter_topolstm"
    imported = topolstm.read({part: folder / f"{part}.txt" for part in ("train", "test")}, graph=folder / "graph.txt")
    drawn = subsample(imported, length, split="given", rng=rng)
    assert len(drawn.train_origin) + len(drawn.test_origin) == counts[0]
    assert drawn.dataset.n_users == pytest.approx(counts[1], rel=0.05)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)
