"""Topo-LSTM: a slow readable twin of its cell, gradients against finite differences, and what its rankings are."""

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError, ConfigError
from cascurve.graph import Graph
from cascurve.models import topo_lstm
from cascurve.models.interface import rank
from cascurve.models.topo_lstm_cell import Weights, forward, loss_and_gradients, reciprocal_rank_of
from cascurve.models.topo_lstm_dag import Packed, Variant, neighbours, pack
from cascurve.models.topo_lstm_query import answer

N = 9
ARCS = np.array([(0, 1), (1, 2), (0, 2), (2, 3), (4, 0), (0, 5), (5, 8), (7, 1), (1, 7), (3, 7), (0, 7)])
GRAPH = Graph.from_edges(N, ARCS[:, 0], ARCS[:, 1], directed=True)
LISTS = [[0, 1, 2, 3, 7], [4, 0, 5], [5, 8], [0, 7, 1, 2], [3]]
TRAIN = CascadeSet.of(LISTS, n_users=N)
variants = pytest.mark.parametrize("variant", get_args(Variant))


def weights(dimension: int = 3) -> Weights:
    """Random weights in float64, all of a size that matters."""
    rng = np.random.default_rng(1)
    shapes = [array.shape for array in topo_lstm.initial(TRAIN, dimension, rng)]
    return Weights(*(rng.normal(0, 0.7, shape) for shape in shapes))


def precursors(users: list[int], step: int, variant: Variant) -> set[int]:
    links = {tuple(arc) for arc in ARCS.tolist()}
    if variant != "released":
        return {s for s in range(step) if (users[s], users[step]) in links}
    near = {s for s in range(step) if {(users[s], users[step]), (users[step], users[s])} & links}
    return near | ({step - 1} if step else set())


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def twin(w: Weights, users: list[int], variant: Variant) -> NDArray[np.float64]:
    """Chances of all users to come next, after each step of one cascade; shape (steps, N)."""
    d = w.embedding.shape[1]
    h: list[NDArray[np.float64]] = []
    c: list[NDArray[np.float64]] = []
    chances = []
    for step, user in enumerate(users):
        p = sorted(precursors(users, step, variant))
        q = {"paper": [s for s in range(step) if s not in p], "last_sender": [step - 1][:step], "released": []}[variant]
        pool = np.sum if variant == "released" else np.mean
        zero = np.zeros(d)
        hp, cp = (pool([of[s] for s in p], axis=0) if p else zero for of in (h, c))
        hq, cq = (np.mean([of[s] for s in q], axis=0) if q else zero for of in (h, c))
        wi, wo, wg, wf = np.split(w.embedding[user] @ w.w + w.b, 4)
        pi, po, pg, pf = np.split(hp @ w.up, 4)
        qi, qo, qg, qf = np.split(hq @ w.uq, 4)
        i, o, g = sigmoid(wi + pi + qi), sigmoid(wo + po + qo), np.tanh(wg + pg + qg)
        c.append(i * g + sigmoid(wf + pf) * cp + sigmoid(wf + qf) * cq)
        h.append(o * np.tanh(c[-1]))
        odds = np.exp(np.mean(h, axis=0) @ w.readout + w.bias)
        odds[users[: step + 1]] = 0
        chances.append(odds / odds.sum())
    return np.array(chances)


def loss_of(w: Weights, batch: Packed, variant: Variant) -> float:
    return loss_and_gradients(w, batch, variant)[0]


@variants
def test_precursors_are_those_of_the_definition(variant: Variant) -> None:
    batch = pack(TRAIN, np.arange(5), neighbours(GRAPH, variant), 200)
    rows = sorted(range(5), key=lambda row: -len(LISTS[row]))
    assert np.diff(batch.starts).tolist() == [5, 4, 3, 2, 1]
    entries = [(step, row) for step in range(5) for row in rows if step < len(LISTS[row])]
    for entry, (step, row) in enumerate(entries):
        assert batch.users[entry] == LISTS[row][step]
        found = {entries[e] for e in batch.precursors[batch.first[entry] : batch.first[entry + 1]]}
        assert found == {(s, row) for s in precursors(LISTS[row], step, variant)}
    for entry, user in zip(batch.targets, batch.following, strict=True):
        step, row = entries[entry]
        assert user == LISTS[row][step + 1]


def test_users_of_equal_times_do_not_precede_one_another() -> None:
    timed = CascadeSet.of([[0, 1, 2]], n_users=N, times=[[0, 1, 1]])
    batch = pack(timed, np.arange(1), neighbours(GRAPH, "paper"), 200)
    assert batch.precursors.tolist() == [0, 0]  # 1 and 2 heard from 0; 2 not from 1


@variants
def test_loss_is_that_of_the_twin(variant: Variant) -> None:
    w = weights()
    logs = [
        np.log(chances[users[step + 1]]) for users in LISTS for step, chances in enumerate(twin(w, users, variant)[:-1])
    ]
    batch = pack(TRAIN, np.array([3, 0, 4, 2, 1]), neighbours(GRAPH, variant), 200)
    assert loss_of(w, batch, variant) == pytest.approx(-np.mean(logs), rel=1e-12)


@variants
def test_reciprocal_rank_is_that_of_the_twin(variant: Variant) -> None:
    """Of the user who came next, among those not reached yet."""
    w = weights()
    values = [
        1 / (chances >= chances[users[step + 1]]).sum()
        for users in LISTS
        for step, chances in enumerate(twin(w, users, variant)[:-1])
    ]
    batch = pack(TRAIN, np.arange(5), neighbours(GRAPH, variant), 200)
    assert reciprocal_rank_of(w, batch, variant) == pytest.approx(np.mean(values), rel=1e-12)


@variants
def test_gradients_are_finite_differences(variant: Variant) -> None:
    w, batch = weights(), pack(TRAIN, np.arange(5), neighbours(GRAPH, variant), 200)
    gradients = loss_and_gradients(w, batch, variant)[1]
    rng, step = np.random.default_rng(2), 1e-5
    for name, array, gradient in zip(Weights._fields, w, gradients, strict=True):
        flat = array.reshape(-1)
        for place in rng.choice(flat.size, min(flat.size, 25), replace=False):
            kept = flat[place]
            around = []
            for moved in (kept + step, kept - step):
                flat[place] = moved
                around.append(loss_of(w, batch, variant))
            flat[place] = kept
            slope = (around[0] - around[1]) / (2 * step)
            assert gradient.reshape(-1)[place] == pytest.approx(slope, rel=1e-6, abs=1e-9), name


def test_gradients_are_those_of_torch() -> None:
    torch = pytest.importorskip("torch")
    w, batch = weights(), pack(TRAIN, np.arange(5), neighbours(GRAPH, "paper"), 200)
    t = Weights(*(torch.tensor(array, requires_grad=True) for array in w))
    terms = []
    for users in LISTS:
        h, c = [], []
        for step, user in enumerate(users[:-1]):
            p = precursors(users, step, "paper")
            q = set(range(step)) - p
            zero = torch.zeros(3, dtype=torch.float64)
            hp, cp = (torch.stack([of[s] for s in p]).mean(0) if p else zero for of in (h, c))
            hq, cq = (torch.stack([of[s] for s in q]).mean(0) if q else zero for of in (h, c))
            x, up, uq = (t.embedding[user] @ t.w + t.b).chunk(4), (hp @ t.up).chunk(4), (hq @ t.uq).chunk(4)
            i, o = (torch.sigmoid(x[k] + up[k] + uq[k]) for k in (0, 1))
            g = torch.tanh(x[2] + up[2] + uq[2])
            c.append(i * g + torch.sigmoid(x[3] + up[3]) * cp + torch.sigmoid(x[3] + uq[3]) * cq)
            h.append(o * torch.tanh(c[-1]))
            odds = torch.stack(h).mean(0) @ t.readout + t.bias
            left = [u for u in range(N) if u not in users[: step + 1]]
            terms.append(torch.logsumexp(odds[left], 0) - odds[users[step + 1]])
    torch.stack(terms).mean().backward()
    for ours, theirs in zip(loss_and_gradients(w, batch, "paper")[1], t, strict=True):
        np.testing.assert_allclose(ours, theirs.grad.numpy(), rtol=1e-9, atol=1e-12)


@variants
def test_a_query_is_answered_as_training_would(variant: Variant) -> None:
    w = weights()
    narrow, near = Weights(*(array.astype(np.float32) for array in w)), neighbours(GRAPH, variant)
    for users in ([0], [0, 1, 2], [4, 0, 7, 1, 3]):
        prefix = CascadeSet.of([users], n_users=N)
        scores = answer(prefix, narrow, near, variant, "prefix", 5, 0, np.uint64(1))
        np.testing.assert_allclose(scores[0], twin(w, users, variant)[-1], rtol=1e-4)
    states = forward(narrow, pack(TRAIN, np.arange(5), near, 200), variant)
    assert states.h.dtype == np.float32


def test_a_rollout_appends_the_likeliest_user_each_time() -> None:
    w = weights()
    narrow, near = Weights(*(array.astype(np.float32) for array in w)), neighbours(GRAPH, "paper")
    scores = answer(CascadeSet.of([[0]], n_users=N), narrow, near, "paper", "rollout", 4, 0, np.uint64(1))[0]
    users = [0]
    while len(users) < 4:
        users.append(int(twin(w, users, "paper")[-1].argmax()))
    rest = twin(w, users, "paper")[-1]
    order = users[1:] + [u for u in np.argsort(-rest).tolist() if u not in users]
    assert np.argsort(-scores)[: N - 1].tolist() == order


def test_simulated_chances_are_those_of_all_ways_to_go_on() -> None:
    """From one user on to three, by enumeration; the scores sum to the two users that are drawn."""
    w = weights()
    narrow, near = Weights(*(array.astype(np.float32) for array in w)), neighbours(GRAPH, "paper")
    exact = twin(w, [0], "paper")[-1].copy()
    for second, chance in enumerate(exact.copy()):
        if chance > 0:
            exact += chance * twin(w, [0, second], "paper")[-1]
    scores = answer(CascadeSet.of([[0]], n_users=N), narrow, near, "paper", "simulation", 3, 4000, np.uint64(1))[0]
    assert scores.sum() == pytest.approx(2, rel=1e-4)
    np.testing.assert_allclose(scores, exact, atol=4 * 0.5 / np.sqrt(4000))


def test_training_learns_an_order_and_stops_when_nothing_is_left_to_learn() -> None:
    train = CascadeSet.of([[0, 1, 2, 3], [4, 5, 6, 7]] * 20, n_users=N)
    model = topo_lstm.Model(dimension=8, steps=200, batch=8, ranking="rollout", checks=20, patience=3)
    fitted = model.fit(train, graph=GRAPH, rng=np.random.default_rng(1))
    scores = rank(fitted, CascadeSet.of([[0], [4, 5]], n_users=N))
    assert np.argsort(-np.nan_to_num(scores[0], nan=-1))[:3].tolist() == [1, 2, 3]
    assert np.argsort(-np.nan_to_num(scores[1], nan=-1))[:2].tolist() == [6, 7]
    first = fitted.checked.argmax()
    assert (fitted.checked[first], len(fitted.checked)) == (1, first + 4)  # all ranks are 1; three more checks, in vain
    assert reciprocal_rank_of(fitted.weights, pack(train, np.array([0, 1]), fitted.near, 200), "paper") == 1


def test_without_links_there_is_no_topology() -> None:
    with pytest.raises(CellError, match="links"):
        topo_lstm.Model().fit(TRAIN, graph=None, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("key", "value"), [("dimension", 0), ("steps", -1), ("held_out", 1.0), ("longest", 1), ("patience", 0)]
)
def test_parameters_out_of_range_are_named(key: str, value: float) -> None:
    with pytest.raises(ConfigError, match=key):
        topo_lstm.Model(**{key: value})


def test_before_training_it_is_popularity() -> None:
    """Its bias starts there, and its states start small."""
    train = CascadeSet.of([[0, 1, 2, 3], [4, 1, 2], [5, 1]], n_users=N)
    fitted = topo_lstm.Model(steps=0, ranking="prefix").fit(train, graph=GRAPH, rng=np.random.default_rng(1))
    query = CascadeSet.of([[8]], n_users=N)
    scores = fitted.score(query)[0]
    assert scores[1] > scores[2] > scores[3]
