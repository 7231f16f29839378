"""Embedded-IC: the gradient is that of the likelihood, and what it learns is the network's probabilities."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.models import embedded_ic
from cascurve.models.embedded_ic import Fitted, Model

D = 8


def log_chance(z: NDArray[np.float64], biases: NDArray[np.float64], senders: list[int], v: int, reached: bool) -> float:
    """log P_v, or log(1 - P_v), by the definition; rows of z and biases: all senders, then all receivers."""
    w = len(z) // 2 + v
    escapes = [1 - 1 / (1 + math.exp(biases[u] + biases[w] + np.sum((z[u] - z[w]) ** 2))) for u in senders]
    return math.log(1 - math.prod(escapes)) if reached else math.log(math.prod(escapes))


@pytest.mark.parametrize("reached", [True, False])
@pytest.mark.parametrize("senders", [[0], [0, 2, 3]])
def test_a_step_goes_up_the_gradient_of_the_likelihood(reached: bool, senders: list[int]) -> None:
    """So the responsibility is P_uv / P_v. With P_v itself, as in one public port, this fails."""
    rng, rate = np.random.default_rng(1), 1e-3
    points, biases = rng.normal(0, 0.2, (10, D)).astype(np.float32), rng.normal(0, 0.3, 10)
    x = np.concatenate([points.astype(float).ravel(), biases])

    def objective(x: NDArray[np.float64]) -> float:
        return log_chance(x[: 10 * D].reshape(10, D), x[10 * D :], senders, 4, reached)

    h = 1e-5
    gradient = np.array([(objective(x + h * e) - objective(x - h * e)) / (2 * h) for e in np.eye(len(x))])
    users = np.array([*senders, 4], np.int32)
    embedded_ic._step(points, biases, users, 0, len(senders), 4, reached, rate, np.empty(9))
    moved = np.concatenate([points.astype(float).ravel(), biases]) - x
    np.testing.assert_allclose(moved / rate, gradient, atol=2e-4)
    assert np.abs(gradient).max() > 0.1


def objective(fitted: Fitted, train: CascadeSet) -> float:
    n = train.n_users
    z, biases = fitted.points.astype(float), fitted.biases
    total = 0.0
    for cascade in train:
        users = cascade.tolist()
        total += sum(log_chance(z, biases, users[:place], users[place], True) for place in range(1, len(users)))
        total += sum(log_chance(z, biases, users, v, False) for v in range(n) if v not in users)
    return total


def test_likelihood_rises_with_training() -> None:
    rng = np.random.default_rng(2)
    train = CascadeSet.of([[0, *rng.permutation([1, 2, 3])[:2]] for _ in range(10)] + [[4, 5], [6]], n_users=8)
    values = [
        objective(Model(updates=updates, learning_rate=0.1).fit(train, rng=np.random.default_rng(0)), train)
        for updates in (0, 1000, 4000, 16000)
    ]
    assert values == sorted(values)
    assert values[-1] > values[0] / 2


def test_weights_make_the_share_of_negatives_a_matter_of_cost() -> None:
    """Whatever the share, the mean gradient is the same; unweighted, 95 % negatives would push all chances down."""
    train = CascadeSet.of([[0, 1], [0, 1, 2], [0], [3, 2]] * 5, n_users=6)
    chances = [
        1 - np.exp(Model(updates=60_000, negatives=share).fit(train, rng=np.random.default_rng(1)).log_escape[0, 1])
        for share in (0.05, 0.95)
    ]
    assert chances[0] == pytest.approx(2 / 3, abs=0.05)  # 0 infects 1 in two of three cascades
    assert chances[1] == pytest.approx(2 / 3, abs=0.05)


def fixed(chances: list[list[float]], longest: int, simulations: int) -> Fitted:
    """A fitted model with the given P_uv."""
    fitted = Fitted(np.zeros((2, 8), np.float32), np.zeros(2), longest, simulations, np.uint64(7))
    fitted.__dict__["log_escape"] = np.log1p(-np.array(chances)).astype(np.float32)
    return fitted


CHAIN = [[0, 0.5, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 0.5], [0, 0, 0, 0]]


def test_one_step_score_is_the_chance_to_be_infected_by_the_prefix() -> None:
    scores = fixed(CHAIN, 4, 0).score(CascadeSet.of([[0], [0, 2]], n_users=4))
    np.testing.assert_allclose(scores, [[0, 0.5, 0, 0], [0, 0.5, 0, 0.5]], atol=1e-6)


def test_simulated_score_on_a_chain_is_the_chance_to_be_infected() -> None:
    """On a path each step halves the chance."""
    scores = fixed(CHAIN, 4, 20_000).score(CascadeSet.of([[0]], n_users=4))
    np.testing.assert_allclose(scores[0], [0, 0.5, 0.25, 0.125], atol=0.01)


def test_simulated_cascades_end_at_the_longest_training_cascade() -> None:
    """With three users at most, 3 can only be reached by 2, who is the third and still passes it on."""
    certain = (np.array(CHAIN) * 1.999).tolist()
    scores = [fixed(certain, longest, 50).score(CascadeSet.of([[0]], n_users=4))[0] for longest in (1, 2, 3)]
    assert [int(np.sum(row > 0.9)) for row in scores] == [1, 2, 3]


def test_where_a_cascade_is_cut_does_not_depend_on_user_ids() -> None:
    """Three paths from one source: when one has grown, no other does, and each may be the one."""
    n = 10
    chances = np.zeros((n, n))
    chances[0, 1:4] = chances[[1, 2, 3], [4, 5, 6]] = chances[[4, 5, 6], [7, 8, 9]] = 0.999
    scores = fixed(chances.tolist(), 5, 20_000).score(CascadeSet.of([[0]], n_users=n))[0]
    np.testing.assert_allclose(scores[7:], 1 / 3, atol=0.02)


@pytest.mark.parametrize(("key", "value"), [("dimension", 0), ("negatives", 0.0), ("negatives", 1.0), ("updates", -1)])
def test_parameters_out_of_range_are_named(key: str, value: float) -> None:
    with pytest.raises(ConfigError, match=key):
        Model(**{key: value})  # type: ignore[arg-type]
