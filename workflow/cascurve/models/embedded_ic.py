"""Embedded-IC: an independent-cascade model over all pairs of users, its probabilities given by positions.

Bourigault, Lamprier, Gallinari: Representation learning for information diffusion through social networks: an
embedded cascade model, WSDM 2016. User u infects v with probability

    P_uv = 1 / (1 + exp(a_u + b_v + ‖z_u - w_v‖²)),

where u has a point z_u and a bias a_u as a sender, v a point w_v and a bias b_v as a receiver. A recipient v of a
cascade was infected by one of those before it, P_v = 1 - Π (1 - P_uv); a user outside of it by none of its users.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.models.squared_distance import LANES, squared_distance
from cascurve.models.streams import prefix_index
from cascurve.seeding import below, kernel_key, start, uniform


@dataclass(frozen=True)
class Model:
    """Embedded-IC, fitted by stochastic EM.

    Each update draws a cascade and a user v, and takes one gradient step on Σ_u r log P_uv + (1 - r) log(1 - P_uv)
    over the users u that could have infected v, with the responsibility r = P_uv / P_v for a recipient and 0 for a
    user not reached. As r is taken at the same parameters, this is the gradient of the log-likelihood.

    Parameters
    ----------
    dimension : coordinates of a point.
    learning_rate : of the first step; falls linearly to 0.
    updates : users v drawn in all.
    negatives : share of them that were not reached; steps are weighted so that on average the gradient is that of
        the likelihood, whatever the share.
    spread : coordinates start uniform in ±spread. Biases start so that a user infects one other on average.
    simulations : cascades drawn per query; 0 scores by P_v alone, as though only the prefix infected anyone.
    """

    dimension: int = 20
    learning_rate: float = 0.5
    updates: int = 1_000_000
    negatives: float = 0.5
    spread: float = 0.3
    simulations: int = 100

    def __post_init__(self) -> None:
        if self.dimension < 1:
            raise ConfigError("dimension", self.dimension, "an integer >= 1")
        for key in ("learning_rate", "updates", "spread", "simulations"):
            if not getattr(self, key) >= 0:
                raise ConfigError(key, getattr(self, key), "a number >= 0")
        if not 0 < self.negatives < 1:
            raise ConfigError("negatives", self.negatives, "a share between 0 and 1, both excluded")

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Train on cascades; `graph` is not used."""
        n = train.n_users
        points = np.zeros((2 * n, -(-self.dimension // LANES) * LANES), np.float32)
        points[:, : self.dimension] = rng.uniform(-self.spread, self.spread, (2 * n, self.dimension))
        biases = np.concatenate([np.zeros(n), np.full(n, np.log(max(n - 1, 1)))])
        ascend(
            points,
            biases,
            train.offsets,
            train.users,
            kernel_key(rng),
            self.learning_rate,
            self.updates,
            self.negatives,
        )
        return Fitted(points, biases, int(train.lengths.max()), self.simulations, kernel_key(rng))


@dataclass(frozen=True)
class Fitted:
    """Fitted positions.

    Attributes
    ----------
    points : float32, shape (2 · n_users, d): z of all users, then w; d is filled up with zeros as in `heat_kernel`.
    biases : float64, shape (2 · n_users,): a of all users, then b.
    longest : users of the longest training cascade; a simulated cascade that has as many grows no more.
    simulations : cascades drawn per query.
    key : of the queries' random streams.
    """

    points: NDArray[np.float32]
    biases: NDArray[np.float64]
    longest: int
    simulations: int
    key: np.uint64

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """Chance of being infected by the users of a simulated cascade, averaged over the simulations.

        Smoother than counting who was infected, as in the authors' code. Memory: n_users² × 4 bytes.
        """
        scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
        for query, prefix in enumerate(prefixes):
            scores[query] = _simulated(self.log_escape, prefix, self.longest, self.simulations, self.key)
        return scores

    @cached_property
    def log_escape(self) -> NDArray[np.float32]:
        """log(1 - P_uv), shape (n_users, n_users); 0 for v = u."""
        return _log_escape(self.points, self.biases)


MEET = 0.25
"""The step that brings two points together; a larger one would carry them past each other, and on to infinity."""


@njit(cache=True)
def softplus(x: float) -> float:
    """log(1 + exp(x)), so that log(1 - P) = -softplus(logit of P)."""
    return max(x, 0.0) + np.log1p(np.exp(-abs(x)))


@njit(cache=True)
def ascend(
    points: NDArray[np.float32],
    biases: NDArray[np.float64],
    offsets: NDArray[np.int64],
    users: NDArray[np.int32],
    key: Any,
    learning_rate: float,
    updates: int,
    negatives: float,
) -> None:
    """The SGD of `Model.fit`, in place."""
    n_users = len(points) // 2
    if n_users == 1:
        return
    state = np.empty(4, np.uint64)
    start(state, key, 0)
    chances = np.empty(np.max(np.diff(offsets)))
    for update in range(updates):
        cascade = below(state, len(offsets) - 1)
        first, end = offsets[cascade], offsets[cascade + 1]
        recipients, never = end - first - 1, n_users - (end - first)
        share = 1.0 if recipients == 0 else 0.0 if never == 0 else negatives
        rate = learning_rate * (1 - update / updates) / (n_users - 1)
        if uniform(state) < share:
            target = below(state, n_users)
            while _holds(users, first, end, target):
                target = below(state, n_users)
            rate *= never / share
            _step(points, biases, users, first, end, target, False, rate, chances)
        else:
            place = first + 1 + below(state, recipients)
            rate *= recipients / (1 - share)
            _step(points, biases, users, first, place, np.int64(users[place]), True, rate, chances)


@njit(cache=True)
def _holds(users: NDArray[np.int32], first: int, end: int, user: int) -> bool:
    for entry in range(first, end):
        if users[entry] == user:
            return True
    return False


@njit(cache=True)
def _step(
    points: NDArray[np.float32],
    biases: NDArray[np.float64],
    users: NDArray[np.int32],
    first: int,
    end: int,
    target: int,
    reached: bool,
    rate: float,
    chances: NDArray[np.float64],
) -> None:
    """One step for the user `target`, reached or not by the users of entries first … end - 1."""
    n_users = len(points) // 2
    receiver = np.uint64(n_users + target)
    log_escape = 0.0
    for entry in range(first, end):
        sender = np.uint64(users[entry])
        logit = -(biases[sender] + biases[receiver] + squared_distance(points, sender, receiver))
        chances[entry - first] = 1 / (1 + np.exp(-logit))
        log_escape -= softplus(logit)
    reach = -np.expm1(log_escape)  # P_v
    pull = np.zeros(points.shape[1], np.float32)
    for entry in range(first, end):
        sender = np.uint64(users[entry])
        chance = chances[entry - first]
        responsibility = 0.0 if not reached else chance / reach if reach > 0 else 1 / (end - first)
        gain = min(rate * (responsibility - chance), MEET)
        biases[sender] -= gain
        biases[receiver] -= gain
        for k in range(points.shape[1]):
            move = np.float32(2 * gain) * (points[sender, k] - points[receiver, k])
            points[sender, k] -= move
            pull[k] += move
    for k in range(points.shape[1]):
        points[receiver, k] += pull[k]


@njit(cache=True)
def _log_escape(points: NDArray[np.float32], biases: NDArray[np.float64]) -> NDArray[np.float32]:
    n_users = len(points) // 2
    logs = np.zeros((n_users, n_users), np.float32)
    for u in range(n_users):
        for v in range(n_users):
            if u != v:
                distance = squared_distance(points, np.uint64(u), np.uint64(n_users + v))
                logs[u, v] = -softplus(-(biases[u] + biases[n_users + v] + distance))
    return logs


@njit(cache=True)
def _simulated(
    log_escape: NDArray[np.float32], prefix: NDArray[np.int32], longest: int, simulations: int, key: Any
) -> NDArray[np.float64]:
    """Mean over simulated cascades of 1 - Π (1 - P_uv) over their users u; without simulations over the prefix."""
    n_users = len(log_escape)
    state = np.empty(4, np.uint64)
    start(state, key, prefix_index(prefix))
    active = np.empty(n_users, np.int64)
    infected = np.zeros(n_users, np.bool_)
    total, logs = np.zeros(n_users), np.empty(n_users, np.float32)
    for _ in range(max(simulations, 1)):
        infected[:] = False
        logs[:] = 0
        n_active, done = len(prefix), 0
        for place in range(n_active):
            active[place] = prefix[place]
            infected[prefix[place]] = True
        while done < n_active:
            # Any of those that wait may be next, so that where the cascade is cut does not depend on user ids.
            swap = done + below(state, n_active - done)
            active[done], active[swap] = active[swap], active[done]
            row = log_escape[active[done]]
            done += 1
            for user in range(n_users):
                logs[user] += row[user]
            if simulations == 0:
                continue
            if n_active < longest:
                for user in range(n_users):
                    if infected[user]:
                        continue
                    draw = uniform(state)
                    if draw < -row[user] and draw < -np.expm1(row[user]):  # P <= -log(1 - P), which costs nothing
                        infected[user] = True
                        active[n_active] = user
                        n_active += 1
        for user in range(n_users):
            total[user] -= np.expm1(logs[user])
    return total / max(simulations, 1)
