"""Early stopping of the heat-kernel models: what is held out, what is measured on it, and what is kept."""

from collections.abc import Iterator

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.metrics import average_precision
from cascurve.metrics.relevant_ranks import relevant_ranks
from cascurve.models.early_stopping import keep_best, mean_average_precision, part
from cascurve.models.interface import rank

RNG = np.random.default_rng(1)
TRAIN = CascadeSet.of([[s % 8, *(8 + s % 8 * 5 + RNG.permutation(5)).tolist()] for s in range(160)], n_users=48)
embeddings = pytest.mark.parametrize("name", ["cdk", "pae", "iae"])


def test_cascades_are_either_held_out_or_trained_on() -> None:
    lists = [[0, 1], [2], [1, 0, 2], [3, 1], [2, 3], [3, 0]]
    held, pool = part(CascadeSet.of(lists, n_users=4), 0.5, np.random.default_rng(2))
    assert len(held) == 2  # half of the five that have a recipient
    assert sorted(map(list, [c.tolist() for c in held] + [c.tolist() for c in pool])) == sorted(lists)
    assert [2] in [c.tolist() for c in pool]
    none, everything = part(TRAIN, 0.0, np.random.default_rng(2))
    assert (len(none), everything) == (0, TRAIN)


def test_what_is_measured_is_the_map_that_judges_models() -> None:
    """Without ties, which count against the model here and are shared out there."""
    scores = np.random.default_rng(3).normal(size=(8, 48)).astype(np.float32)

    class Fixed:
        def score(self, prefixes: CascadeSet) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
            return scores[prefixes.users]

    queries = CascadeSet.of([[s] for s in range(8)], n_users=48)
    judged = average_precision.score(relevant_ranks(rank(Fixed(), queries), TRAIN, TRAIN.sources.astype(np.int64)))
    assert mean_average_precision(Fixed().score, TRAIN) == pytest.approx(judged.mean(), rel=1e-12)
    scores[:] = 0
    assert mean_average_precision(Fixed().score, TRAIN) == pytest.approx(5 / 47)


def test_the_best_state_is_kept_and_patience_ends_the_training() -> None:
    state, values = np.zeros(1), [0.1, 0.5, 0.4, 0.5, 0.3, 0.9]

    def train() -> Iterator[float]:
        for value in values:
            state[0] = value
            yield value

    (best,), checked = keep_best((state,), train(), patience=3)
    assert (best[0], checked.tolist()) == (0.5, [0.1, 0.5, 0.4, 0.5, 0.3])
    (best,), checked = keep_best((state,), train(), patience=4)
    assert (best[0], len(checked)) == (0.9, 6)


@pytest.mark.parametrize(
    ("name", "shards"),
    [("cdk", {}), ("cdk", {"shards": 2, "rounds": 40}), ("pae", {}), ("pae", {"shards": 2, "rounds": 40}), ("iae", {})],
)
def test_training_ends_when_held_out_cascades_gain_no_more(name: str, shards: dict[str, int]) -> None:
    model = plugins.load("models", name).Model
    how = {"updates": 400_000, "held_out": 0.2, "checks": 40, "patience": 3, **shards}
    first, again = (model(**how).fit(TRAIN, rng=np.random.default_rng(4)) for _ in range(2))
    assert first.points.tobytes() == again.points.tobytes()
    assert len(first.checked) < 40
    assert first.checked.argmax() == len(first.checked) - 4
    assert first.begun.sum() == 128
    held, _ = part(TRAIN, 0.2, np.random.default_rng(4))
    assert mean_average_precision(first.score, held) == first.checked.max()
    assert first.checked.max() > 0.9  # who is reached is learned; the order is chance


def test_a_source_that_is_only_held_out_stays_unknown() -> None:
    train = CascadeSet.of([[0, 1, 2], [3, 1]], n_users=4)
    fitted = plugins.load("models", "cdk").Model(updates=100, held_out=0.5).fit(train, rng=np.random.default_rng(0))
    held, pool = part(train, 0.5, np.random.default_rng(0))
    assert (fitted.layout.sender[held.sources] >= 0).tolist() == [int(held.sources[0]) in pool.users.tolist()]
