"""The cell of Topo-LSTM over a batch of cascades: forward, and backward by hand.

With x the embedding of a user, p its precursors and q the other users before it, of which h^p, c^p, h^q and c^q are the
means of their hidden states and cells (Wang et al. 2017, eqs. 3 to 10; another variant only weighs states otherwise):

    i, o = sigmoid(W x + U^p h^p + U^q h^q + b)          g = tanh(W x + U^p h^p + U^q h^q + b)
    f^p = sigmoid(W x + U^p h^p + b)                     f^q = sigmoid(W x + U^q h^q + b)
    c = i g + f^p c^p + f^q c^q                          h = o tanh(c)
    P(v comes next) = softmax of R_v · mean(h of the users so far) + r_v, over the users not reached yet

Columns of W, U^p, U^q and b come in blocks i, o, g, f; the two forget gates share W and b. All functions take float32
(training) and float64 (where gradients are checked).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.models.exponentials import exponentials
from cascurve.models.topo_lstm_dag import Packed, Variant

Array = NDArray[Any]


class Weights(NamedTuple):
    """Parameters, or their gradients; d = dimension.

    embedding : (n_users, d). w, up, uq : (d, 4 d). b : (4 d,). readout : (d, n_users). bias : (n_users,).
    """

    embedding: Array
    w: Array
    up: Array
    uq: Array
    b: Array
    readout: Array
    bias: Array


class States(NamedTuple):
    """What the forward pass keeps, one row per entry.

    h, c : (entries, d). gates : (entries, 5 d), i, o, g, f^p, f^q. hp, cp, hq, cq : (entries, d).
    """

    h: Array
    c: Array
    gates: Array
    hp: Array
    cp: Array
    hq: Array
    cq: Array


OTHERS, LAST, NOBODY = 0, 1, 2


def second(variant: Variant) -> int:
    """Who stands on the path q: the other users before, the one just before, or (as in the released code) nobody."""
    return {"paper": OTHERS, "last_sender": LAST, "released": NOBODY}[variant]


def loss_and_gradients(weights: Weights, batch: Packed, variant: Variant) -> tuple[float, Weights]:
    """Mean over the targets of -log P(the user who came next), and its gradient."""
    states = forward(weights, batch, variant)
    loss, d_mean, d_readout, d_bias = _read_out(weights, batch, states.h)
    return loss, _backward(weights, batch, variant, states, d_mean, d_readout, d_bias)


def reciprocal_rank_of(weights: Weights, batch: Packed, variant: Variant) -> float:
    """Mean over the targets of 1 / the rank of the user who came next; ties count against it."""
    targets = batch.targets
    mean = _means(forward(weights, batch, variant).h, batch.starts)[targets]
    total = 0.0
    for rows, odds in _odds(weights, batch, targets, mean):
        hit = odds[np.arange(len(odds)), batch.following[rows]]
        total += float((1 / (odds >= hit[:, None]).sum(axis=1)).sum())
    return total / max(len(targets), 1)


def forward(weights: Weights, batch: Packed, variant: Variant) -> States:
    """Hidden states of all entries, step by step."""
    size, d = len(batch.users), weights.embedding.shape[1]
    inputs = weights.embedding[batch.users] @ weights.w + weights.b
    states = States(*(np.empty((size, width), inputs.dtype) for width in (d, d, 5 * d, d, d, d, d)))
    sums = np.zeros((2, int(batch.starts[1]), d), inputs.dtype)
    for begin, end in zip(batch.starts[:-1], batch.starts[1:], strict=True):
        _gather(begin, end, batch.starts, batch.first, batch.precursors, second(variant), *states, sums)
        by_p, by_q, gates = (
            states.hp[begin:end] @ weights.up,
            states.hq[begin:end] @ weights.uq,
            states.gates[begin:end],
        )
        _add(begin, inputs, by_p, by_q, gates)
        exponentials(gates)
        _gates(begin, end, gates, states.c, states.cp, states.cq, states.h)
        exponentials(states.h[begin:end])
        _hidden(begin, end, gates, states.h, states.c, sums)
    return states


@njit(cache=True)
def _gather(
    begin: int,
    end: int,
    starts: NDArray[np.int64],
    first: NDArray[np.int64],
    precursors: NDArray[np.int64],
    other: int,
    h: Array,
    c: Array,
    gates: Array,
    hp: Array,
    cp: Array,
    hq: Array,
    cq: Array,
    sums: Array,
) -> None:
    """States on the two paths into the entries of a step; ``sums`` are those of h and c over each cascade so far."""
    step = np.searchsorted(starts, begin)
    for entry in range(begin, end):
        row = entry - begin
        hp[entry], cp[entry], hq[entry], cq[entry] = 0, 0, 0, 0
        for place in range(first[entry], first[entry + 1]):
            hp[entry] += h[precursors[place]]
            cp[entry] += c[precursors[place]]
        heard = first[entry + 1] - first[entry]
        if other == OTHERS and step > heard:
            scale = hp.dtype.type(1 / (step - heard))
            hq[entry] = (sums[0, row] - hp[entry]) * scale
            cq[entry] = (sums[1, row] - cp[entry]) * scale
        elif other == LAST and step > 0:
            hq[entry] = h[starts[step - 1] + row]
            cq[entry] = c[starts[step - 1] + row]
        if other != NOBODY and heard > 0:  # the released code sums
            scale = hp.dtype.type(1 / heard)
            hp[entry] *= scale
            cp[entry] *= scale


@njit(cache=True)
def _add(begin: int, inputs: Array, by_p: Array, by_q: Array, gates: Array) -> None:
    """Write what the gates of a step take in, as the sigmoid's exponent; tanh(x) is 2 sigmoid(2 x) - 1."""
    d = by_p.shape[1] // 4
    for row in range(len(gates)):
        for k in range(2 * d):
            gates[row, k] = -(inputs[begin + row, k] + by_p[row, k] + by_q[row, k])
        for k in range(2 * d, 3 * d):
            both = inputs[begin + row, k] + by_p[row, k] + by_q[row, k]
            gates[row, k] = -(both + both)
        for k in range(3 * d, 4 * d):
            gates[row, k] = -(inputs[begin + row, k] + by_p[row, k])
            gates[row, d + k] = -(inputs[begin + row, k] + by_q[row, k])


@njit(cache=True)
def _gates(begin: int, end: int, gates: Array, c: Array, cp: Array, cq: Array, h: Array) -> None:
    """Gates and cells of the entries of a step, from exp(-x); to `h` goes the exponent of the cell's tanh."""
    d = c.shape[1]
    one = gates.dtype.type(1)
    for row in range(end - begin):
        for k in range(5 * d):
            gates[row, k] = one / (one + gates[row, k])
        for k in range(d):
            gates[row, 2 * d + k] = gates[row, 2 * d + k] + gates[row, 2 * d + k] - one
            within = gates[row, k] * gates[row, 2 * d + k] + gates[row, 3 * d + k] * cp[begin + row, k]
            c[begin + row, k] = within + gates[row, 4 * d + k] * cq[begin + row, k]
            h[begin + row, k] = -(c[begin + row, k] + c[begin + row, k])


@njit(cache=True)
def _hidden(begin: int, end: int, gates: Array, h: Array, c: Array, sums: Array) -> None:
    """Hidden states of a step from exp(-2 c), and the sums over each cascade so far."""
    d = c.shape[1]
    one, two = gates.dtype.type(1), gates.dtype.type(2)
    for row in range(end - begin):
        for k in range(d):
            h[begin + row, k] = gates[row, d + k] * (two / (one + h[begin + row, k]) - one)
            sums[0, row, k] += h[begin + row, k]
            sums[1, row, k] += c[begin + row, k]


ROWS = 256
"""Targets that are read out at a time: it bounds the memory, rows × users, and not the result."""


def _read_out(weights: Weights, batch: Packed, h: Array) -> tuple[float, Array, Array, Array]:
    """Mean loss, and its gradients by the mean states of the targets, the readout and the bias."""
    targets, following = batch.targets, batch.following
    mean = _means(h, batch.starts)[targets]
    total = 0.0
    d_mean, d_readout, d_bias = np.empty_like(mean), np.zeros_like(weights.readout), np.zeros_like(weights.bias)
    for rows, log_odds in _odds(weights, batch, targets, mean):
        odds = np.subtract(log_odds, log_odds.max(axis=1, keepdims=True), out=log_odds)
        exponentials(odds)
        norm = odds.sum(axis=1)
        hit = np.arange(len(odds)), following[rows]
        total -= float(np.log(np.maximum(odds[hit] / norm, np.finfo(odds.dtype).tiny)).sum())
        np.multiply(odds, (1 / (norm * len(targets)))[:, None].astype(odds.dtype), out=odds)
        odds[hit] -= odds.dtype.type(1 / len(targets))
        d_mean[rows] = odds @ weights.readout.T
        d_readout += mean[rows].T @ odds
        d_bias += odds.sum(axis=0)
    return total / max(len(targets), 1), d_mean, d_readout, d_bias


def _odds(weights: Weights, batch: Packed, targets: NDArray[np.int64], mean: Array) -> Iterator[tuple[slice, Array]]:
    """Log odds of all users to come next, some targets at a time; -inf for those of the cascade so far."""
    step = np.searchsorted(batch.starts, targets, side="right") - 1
    for start in range(0, len(targets), ROWS):
        rows = slice(start, start + ROWS)
        odds = mean[rows] @ weights.readout
        odds += weights.bias
        _mask(odds, targets[rows], step[rows], batch.starts, batch.users)
        yield rows, odds


@njit(cache=True)
def _means(h: Array, starts: NDArray[np.int64]) -> Array:
    """Mean of the hidden states of a cascade up to each entry."""
    means = h.copy()
    for step in range(1, len(starts) - 1):
        for entry in range(starts[step], starts[step + 1]):
            means[entry] += means[starts[step - 1] + entry - starts[step]]
    for step in range(1, len(starts) - 1):
        means[starts[step] : starts[step + 1]] *= h.dtype.type(1 / (step + 1))
    return means


@njit(cache=True)
def _mask(
    odds: Array,
    targets: NDArray[np.int64],
    step: NDArray[np.int64],
    starts: NDArray[np.int64],
    users: NDArray[np.int32],
) -> None:
    """Users of the cascade so far cannot come next."""
    for place in range(len(targets)):
        row = targets[place] - starts[step[place]]
        for s in range(step[place] + 1):
            odds[place, users[starts[s] + row]] = -np.inf


def _backward(
    weights: Weights,
    batch: Packed,
    variant: Variant,
    states: States,
    d_mean: Array,
    d_readout: Array,
    d_bias: Array,
) -> Weights:
    """Gradients of all parameters, from the last step to the first."""
    d = weights.embedding.shape[1]
    size, dtype = len(batch.users), states.h.dtype
    by_mean, d_h, d_c = (np.zeros((size, d), dtype) for _ in range(3))
    by_mean[batch.targets] = d_mean
    later = np.zeros((3, int(batch.starts[1]), d), dtype)
    # Gradients before the gates, in blocks i, o, g, f; by path, since each has a forget gate of its own.
    by_p, by_q, by_x = (np.empty((size, 4 * d), dtype) for _ in range(3))
    for step in range(len(batch.starts) - 2, -1, -1):
        begin, end = batch.starts[step], batch.starts[step + 1]
        _gates_backward(
            begin, end, step, states.h, states.gates, states.cp, states.cq, by_mean, d_h, d_c, later, by_p, by_q, by_x
        )
        if step:
            d_hp, d_hq = by_p[begin:end] @ weights.up.T, by_q[begin:end] @ weights.uq.T
            _scatter(
                begin,
                end,
                batch.starts,
                batch.first,
                batch.precursors,
                second(variant),
                states.gates,
                d_hp,
                d_hq,
                d_h,
                d_c,
                later,
            )
    d_embedding = np.zeros_like(weights.embedding)
    _add_rows(d_embedding, batch.users, by_x @ weights.w.T)
    d_w = weights.embedding[batch.users].T @ by_x
    return Weights(d_embedding, d_w, states.hp.T @ by_p, states.hq.T @ by_q, by_x.sum(axis=0), d_readout, d_bias)


@njit(cache=True)
def _gates_backward(
    begin: int,
    end: int,
    step: int,
    h: Array,
    gates: Array,
    cp: Array,
    cq: Array,
    by_mean: Array,
    d_h: Array,
    d_c: Array,
    later: Array,
    by_p: Array,
    by_q: Array,
    by_x: Array,
) -> None:
    """Through the gates of a step; on return `d_c` of its entries is complete.

    `later` holds, by cascade, what later steps ask of all states before them alike: through the mean that is read
    out, and through the mean state and cell of the other users.
    """
    d = h.shape[1]
    one, zero, share = h.dtype.type(1), h.dtype.type(0), h.dtype.type(1 / (step + 1))
    for entry in range(begin, end):
        row = entry - begin
        for k in range(d):
            i, o, g = gates[entry, k], gates[entry, d + k], gates[entry, 2 * d + k]
            fp, fq = gates[entry, 3 * d + k], gates[entry, 4 * d + k]
            squashed = h[entry, k] / o if o > 0 else zero  # tanh(c)
            later[0, row, k] += by_mean[entry, k] * share
            of_h = later[0, row, k] + later[1, row, k] + d_h[entry, k]
            of_c = later[2, row, k] + d_c[entry, k] + of_h * o * (one - squashed * squashed)
            d_c[entry, k] = of_c
            of_i, of_o, of_g = of_c * g * i * (one - i), of_h * squashed * o * (one - o), of_c * i * (one - g * g)
            of_fp, of_fq = of_c * cp[entry, k] * fp * (one - fp), of_c * cq[entry, k] * fq * (one - fq)
            by_p[entry, k], by_p[entry, d + k], by_p[entry, 2 * d + k], by_p[entry, 3 * d + k] = of_i, of_o, of_g, of_fp
            by_q[entry, k], by_q[entry, d + k], by_q[entry, 2 * d + k], by_q[entry, 3 * d + k] = of_i, of_o, of_g, of_fq
            by_x[entry, k], by_x[entry, d + k], by_x[entry, 2 * d + k] = of_i, of_o, of_g
            by_x[entry, 3 * d + k] = of_fp + of_fq


@njit(cache=True)
def _scatter(
    begin: int,
    end: int,
    starts: NDArray[np.int64],
    first: NDArray[np.int64],
    precursors: NDArray[np.int64],
    other: int,
    gates: Array,
    d_hp: Array,
    d_hq: Array,
    d_h: Array,
    d_c: Array,
    later: Array,
) -> None:
    """From the paths into the entries of a step to the states that they come from."""
    d = d_h.shape[1]
    step = np.searchsorted(starts, begin)
    for entry in range(begin, end):
        row = entry - begin
        heard = first[entry + 1] - first[entry]
        rest = step - heard if other == OTHERS else 0
        by_p = d_h.dtype.type(1 / heard if other != NOBODY and heard > 0 else 1.0)
        by_q = d_h.dtype.type(1 / rest if rest > 0 else 0.0)
        for k in range(d):
            h_p, c_p = d_hp[row, k] * by_p, d_c[entry, k] * gates[entry, 3 * d + k] * by_p
            h_q, c_q = d_hq[row, k] * by_q, d_c[entry, k] * gates[entry, 4 * d + k] * by_q
            later[1, row, k] += h_q
            later[2, row, k] += c_q
            for place in range(first[entry], first[entry + 1]):
                d_h[precursors[place], k] += h_p - h_q
                d_c[precursors[place], k] += c_p - c_q
            if other == LAST:
                d_h[starts[step - 1] + row, k] += d_hq[row, k]
                d_c[starts[step - 1] + row, k] += d_c[entry, k] * gates[entry, 4 * d + k]


@njit(cache=True)
def _add_rows(total: Array, rows: NDArray[np.int32], values: Array) -> None:
    """``np.add.at``, which is slow."""
    for place in range(len(rows)):
        total[rows[place]] += values[place]
