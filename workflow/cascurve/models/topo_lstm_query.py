"""Queries to a trained Topo-LSTM: one prefix at a time, in additions of a fixed order.

So a prefix's scores do not depend on the batch it stands in, which a matrix product does not promise.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.models.exponentials import exponential
from cascurve.models.streams import prefix_index
from cascurve.models.topo_lstm_cell import LAST, NOBODY, OTHERS, Weights, second
from cascurve.models.topo_lstm_dag import Neighbours, Variant, hear
from cascurve.seeding import start, uniform

PREFIX, ROLLOUT, SIMULATION = 0, 1, 2

Floats = NDArray[np.float32]


def answer(
    prefixes: CascadeSet,
    weights: Weights,
    near: Neighbours,
    variant: Variant,
    ranking: str,
    length: int,
    simulations: int,
    key: np.uint64,
) -> Floats:
    """Scores of all users for each prefix, as `topo_lstm.Model.ranking` describes; shape (prefixes, n_users)."""
    scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
    how = {"prefix": PREFIX, "rollout": ROLLOUT, "simulation": SIMULATION}[ranking]
    steps = np.arange(int(prefixes.lengths.max(initial=0)), dtype=np.float64)
    for query, prefix in enumerate(prefixes):
        begin = prefixes.offsets[query]
        when = steps[: len(prefix)] if prefixes.times is None else prefixes.times[begin : begin + len(prefix)]
        scores[query] = _query(prefix, when, *weights, *near, second(variant), how, length, simulations, key)
    return scores


@njit(cache=True)
def _query(
    prefix: NDArray[np.int32],
    times: NDArray[np.float64],
    embedding: Floats,
    w: Floats,
    up: Floats,
    uq: Floats,
    b: Floats,
    readout: Floats,
    bias: Floats,
    near_first: NDArray[np.int64],
    near: NDArray[np.int32],
    last: bool,
    other: int,
    how: int,
    length: int,
    simulations: int,
    key: Any,
) -> NDArray[np.float64]:
    n_users, d = embedding.shape
    known = len(prefix)
    end = min(max(length, known + 1), n_users)
    users, when = np.empty(end, np.int64), np.empty(end)
    h, c, sums = np.zeros((end, d), np.float32), np.zeros((end, d), np.float32), np.zeros((2, d), np.float32)
    place, heard = np.full(n_users, -1, np.int64), np.empty(end, np.int64)
    odds, total = np.empty(n_users, np.float32), np.zeros(n_users)
    state = np.empty(4, np.uint64)
    start(state, key, prefix_index(prefix))
    for step in range(known):
        users[step], when[step] = prefix[step], times[step]
        _advance(step, users, when, embedding, w, up, uq, b, near_first, near, last, other, place, heard, h, c, sums)
    if how == PREFIX:
        _chances(sums[0], known, readout, bias, place, odds)
        return odds.astype(np.float64)
    before = sums.copy()
    for _ in range(simulations if how == SIMULATION else 1):
        sums[:] = before
        for step in range(known, end):
            _chances(sums[0], step, readout, bias, place, odds)
            if how == SIMULATION:
                total += odds
                users[step] = _drawn(odds, uniform(state))
            else:
                users[step] = np.argmax(odds)
                total[users[step]] = end - step
            when[step] = when[step - 1] + 1
            _advance(
                step, users, when, embedding, w, up, uq, b, near_first, near, last, other, place, heard, h, c, sums
            )
        if how == ROLLOUT:
            _chances(sums[0], end, readout, bias, place, odds)
            total += odds
        for step in range(known, end):
            place[users[step]] = -1
    return total / simulations if how == SIMULATION else total


@njit(cache=True)
def _advance(
    step: int,
    users: NDArray[np.int64],
    when: NDArray[np.float64],
    embedding: Floats,
    w: Floats,
    up: Floats,
    uq: Floats,
    b: Floats,
    near_first: NDArray[np.int64],
    near: NDArray[np.int32],
    last: bool,
    other: int,
    place: NDArray[np.int64],
    heard: NDArray[np.int64],
    h: Floats,
    c: Floats,
    sums: Floats,
) -> None:
    """The cell for the user of `step`; ``sums`` are those of h and c so far."""
    d = h.shape[1]
    user = users[step]
    paths = np.zeros((4, d), np.float32)  # h^p, c^p, h^q, c^q
    inputs = np.empty((3, 4 * d), np.float32)  # of x, h^p and h^q
    found = 0
    for s in heard[: hear(user, step, near_first, near, last, place, heard)]:
        if when[s] < when[step]:
            paths[0] += h[s]
            paths[1] += c[s]
            found += 1
    if other == OTHERS and step > found:
        paths[2:] = (sums - paths[:2]) / np.float32(step - found)
    elif other == LAST and step > 0:
        paths[2], paths[3] = h[step - 1], c[step - 1]
    if other != NOBODY and found:
        paths[:2] /= np.float32(found)
    inputs[0], inputs[1:] = b, 0
    for k in range(d):
        x, p, q = embedding[user, k], paths[0, k], paths[2, k]
        for gate in range(4 * d):
            inputs[0, gate] += x * w[k, gate]
            inputs[1, gate] += p * up[k, gate]
            inputs[2, gate] += q * uq[k, gate]
    for k in range(d):
        i = 1 / (1 + np.exp(-(inputs[0, k] + inputs[1, k] + inputs[2, k])))
        o = 1 / (1 + np.exp(-(inputs[0, d + k] + inputs[1, d + k] + inputs[2, d + k])))
        g = np.tanh(inputs[0, 2 * d + k] + inputs[1, 2 * d + k] + inputs[2, 2 * d + k])
        by_p = 1 / (1 + np.exp(-(inputs[0, 3 * d + k] + inputs[1, 3 * d + k])))
        by_q = 1 / (1 + np.exp(-(inputs[0, 3 * d + k] + inputs[2, 3 * d + k])))
        c[step, k] = i * g + by_p * paths[1, k] + by_q * paths[3, k]
        h[step, k] = o * np.tanh(c[step, k])
    sums[0] += h[step]
    sums[1] += c[step]
    place[user] = step


@njit(cache=True)
def _chances(total: Floats, count: int, readout: Floats, bias: Floats, place: NDArray[np.int64], odds: Floats) -> None:
    """Chance of each user to come next after `count` users with the states' `total`; 0 for those reached."""
    odds[:] = bias
    for k in range(len(total)):
        mean = total[k] / np.float32(count)
        for user in range(len(odds)):
            odds[user] += mean * readout[k, user]
    highest = np.float32(-np.inf)
    for user in range(len(odds)):
        if place[user] < 0:
            highest = max(highest, odds[user])
    for user in range(len(odds)):
        odds[user] = exponential(odds[user] - highest)
    norm = 0.0
    for user in range(len(odds)):
        if place[user] >= 0:
            odds[user] = 0
        norm += odds[user]
    if norm > 0:  # someone is left
        odds /= np.float32(norm)


@njit(cache=True)
def _drawn(odds: Floats, draw: float) -> int:
    """The user at which the running sum of chances exceeds the draw; by rounding it may end a little below 1."""
    running, chosen = 0.0, -1
    for user in range(len(odds)):
        if odds[user] > 0:
            running += odds[user]
            chosen = user
            if running > draw:
                break
    return chosen
