"""Speed of the models' training against minibatch SGD on numpy and, where it is installed, torch.

Run with ``pytest tests/benchmarks/bench_models.py -n 0 -s``. Times are medians of interleaved
runs, in CPU time of one thread: they hold on a busy machine too. The peers are given their triplets; ours draws them.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models import cdk, embedded_ic, frequency, iae, pae, topo_lstm

N, LENGTH, DIMENSION, SOURCES, CASCADES = 1000, 50, 64, 50, 1000
BATCH = 8192
RATE, MARGIN = 0.03, 1.0


def compare(name: str, ours: Callable[[], int], peer: Callable[[], int], goal: float, rounds: int = 5) -> None:
    """Print nanoseconds per sample of both, and the ratio; each callable returns how many samples it did."""
    ours()
    peer()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for task, taken in zip((ours, peer), times, strict=True):
            started = time.process_time()
            samples = task()
            taken.append((time.process_time() - started) / samples * 1e9)
    a, b = map(median, times)
    print(f"\n{name}: ours {a:.0f} ns, peer {b:.0f} ns per sample, ratio {b / a:.1f} (goal ≥ {goal:g})")


def cascades(n: int = N, length: int = LENGTH, count: int = CASCADES) -> CascadeSet:
    """Random cascades: nothing to learn, so that nearly every hinge stays active and every sample is paid in full."""
    rng = np.random.default_rng(0)
    sources = np.arange(count) % SOURCES
    lists = [[s, *rng.choice(np.delete(np.arange(n), s), length - 1, replace=False)] for s in sources]
    return CascadeSet.of(lists, n_users=n)


def triplets(samples: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    rng = np.random.default_rng(1)
    return np.stack([rng.integers(low, high, samples) for low, high in ((0, 50), (50, 500), (500, N))])


def ours(updates: int) -> Callable[[], int]:
    train, model = cascades(), cdk.Model(dimension=DIMENSION, updates=updates)

    def run() -> int:
        model.fit(train, rng=np.random.default_rng(2))
        return updates

    return run


def test_cdk_against_numpy_minibatch() -> None:
    s, i, j = triplets(4 * BATCH)

    def numpy_sgd() -> int:
        z = np.random.default_rng(2).uniform(-0.3, 0.3, (N, DIMENSION)).astype(np.float32)
        for start in range(0, len(s), BATCH):
            a, b, c = (rows[start : start + BATCH] for rows in (s, i, j))
            near, far = z[a] - z[b], z[a] - z[c]
            active = (MARGIN + (near**2).sum(1) - (far**2).sum(1) > 0)[:, None]
            step = np.float32(2 * RATE) * active
            np.add.at(z, a, -step * (near - far))
            np.add.at(z, b, step * near)
            np.add.at(z, c, -step * far)
        return len(s)

    compare("CDK SGD, N=1000, d=64, numpy minibatch", ours(500_000), numpy_sgd, 6)


@contextmanager
def one_thread() -> Iterator[None]:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_cdk_against_jax() -> None:
    """A compiled scan over the batches, gradients by hand: the fastest way in JAX."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # JAX starts as many threads as it may use
    try:
        jax = pytest.importorskip("jax")
        s, i, j = (rows.reshape(-1, BATCH) for rows in triplets(16 * BATCH))
        z = jax.numpy.asarray(np.random.default_rng(2).uniform(-0.3, 0.3, (N, DIMENSION)).astype(np.float32))

        @jax.jit
        def epoch(z: Any, batches: Any) -> Any:
            def batch(z: Any, rows: Any) -> Any:
                a, b, c = rows
                near, far = z[a] - z[b], z[a] - z[c]
                active = (near**2).sum(1) - (far**2).sum(1) + MARGIN > 0
                step = 2 * RATE * active[:, None].astype("float32")
                return z.at[a].add(-step * (near - far)).at[b].add(step * near).at[c].add(-step * far), None

            return jax.lax.scan(batch, z, batches)[0]

        def jax_sgd() -> int:
            epoch(z, (s, i, j)).block_until_ready()
            return s.size

        compare("CDK SGD, N=1000, d=64, JAX", ours(500_000), jax_sgd, 3)
    finally:
        os.sched_setaffinity(0, cores)


def test_cdk_against_torch_minibatch() -> None:
    """Gradients by hand and index_add: the fastest way in torch."""
    torch = pytest.importorskip("torch")
    s, i, j = torch.from_numpy(triplets(16 * BATCH))

    def torch_sgd() -> int:
        z = torch.empty(N, DIMENSION).uniform_(-0.3, 0.3)
        for start in range(0, len(s), BATCH):
            a, b, c = (rows[start : start + BATCH] for rows in (s, i, j))
            near, far = z[a] - z[b], z[a] - z[c]
            step = 2 * RATE * ((near**2).sum(1) - (far**2).sum(1) + MARGIN > 0).float()[:, None]
            z.index_add_(0, a, -step * (near - far))
            z.index_add_(0, b, step * near)
            z.index_add_(0, c, -step * far)
        return len(s)

    with one_thread():
        compare("CDK SGD, N=1000, d=64, torch minibatch", ours(500_000), torch_sgd, 6)


def test_cdk_against_torch_autograd() -> None:
    """As most published code is written: a sparse embedding and an optimiser."""
    torch = pytest.importorskip("torch")
    s, i, j = torch.from_numpy(triplets(8 * BATCH))

    def torch_sgd() -> int:
        z = torch.nn.Embedding(N, DIMENSION, sparse=True)
        optimiser = torch.optim.SGD(z.parameters(), lr=RATE)
        for start in range(0, len(s), BATCH):
            a, b, c = (z(rows[start : start + BATCH]) for rows in (s, i, j))
            loss = torch.relu(MARGIN + ((a - b) ** 2).sum(1) - ((a - c) ** 2).sum(1)).sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        return len(s)

    with one_thread():
        compare("CDK SGD, N=1000, d=64, torch autograd", ours(500_000), torch_sgd, 13)


@pytest.mark.parametrize("module", [cdk, pae, iae, embedded_ic, frequency], ids=lambda module: module.__name__)
def test_one_cell(module: object) -> None:
    """Fit and ranking of a usual cell with the default parameters; no peer."""
    train = cascades(500, 50)
    queries = CascadeSet.of([[source] for source in range(SOURCES)], n_users=500)
    taken = []
    for _ in range(4):
        started = time.process_time()
        module.Model().fit(train, rng=np.random.default_rng(3)).score(queries)  # type: ignore[attr-defined]
        taken.append(time.process_time() - started)
    name = getattr(module, "__name__", "").rpartition(".")[2]
    print(f"\n{name}, N=500, m=1000, L=50, fit and rank: ours {1000 * median(taken[1:]):.0f} ms (goal ≤ 300)")


def test_topo_lstm_against_torch() -> None:
    """An epoch of training (forward, backward, Adam), N=500, L=50, m=1000, d=64, batches of 128; time per cascade.

    The peer keeps the states of all users so far in one tensor and multiplies by who precedes whom.
    """
    torch = pytest.importorskip("torch")
    n, size, d = 500, 128, 64
    train = cascades(n, 50, 8 * size)
    rng = np.random.default_rng(4)
    graph = Graph.from_edges(n, rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), directed=False)
    model = topo_lstm.Model(dimension=d, batch=size, steps=8, held_out=0.0)

    def epoch() -> int:
        model.fit(train, graph=graph, rng=np.random.default_rng(5))
        return len(train)

    links = torch.zeros(n, n)
    links[graph.edge_sources.astype(np.int64), graph.indices.astype(np.int64)] = 1
    users = torch.from_numpy(train.users.reshape(-1, 50).astype(np.int64))

    def torch_epoch() -> int:
        shapes = [(n, d), (d, 4 * d), (d, 4 * d), (d, 4 * d), (4 * d,), (d, n), (n,)]
        e, w, up, uq, b, readout, bias = (torch.nn.Parameter(0.1 * torch.randn(shape)) for shape in shapes)
        optimiser = torch.optim.Adam([e, w, up, uq, b, readout, bias], lr=0.01)
        for start in range(0, len(users), size):
            chunk = users[start : start + size]
            x, states, cells, loss = e[chunk] @ w + b, [], [], 0.0
            active = torch.zeros(len(chunk), n, dtype=torch.bool)
            total = torch.zeros(len(chunk), d)
            for t in range(49):
                hp = hq = cp = cq = torch.zeros(len(chunk), d)
                if t:
                    p = links[chunk[:, :t], chunk[:, t : t + 1]]
                    q = 1 - p
                    p, q = (m / m.sum(1, keepdim=True).clamp(min=1) for m in (p, q))
                    h, c = torch.stack(states, 1), torch.stack(cells, 1)
                    hp, hq, cp, cq = (torch.einsum("bt,btd->bd", m, v) for v in (h, c) for m in (p, q))
                (xi, xo, xg, xf), by_p, by_q = x[:, t].chunk(4, 1), (hp @ up).chunk(4, 1), (hq @ uq).chunk(4, 1)
                i, o = torch.sigmoid(xi + by_p[0] + by_q[0]), torch.sigmoid(xo + by_p[1] + by_q[1])
                g = torch.tanh(xg + by_p[2] + by_q[2])
                cells.append(i * g + torch.sigmoid(xf + by_p[3]) * cp + torch.sigmoid(xf + by_q[3]) * cq)
                states.append(o * torch.tanh(cells[-1]))
                total = total + states[-1]
                active = active.scatter(1, chunk[:, t : t + 1], True)
                odds = (total / (t + 1) @ readout + bias).masked_fill(active, float("-inf"))
                loss = loss + torch.nn.functional.cross_entropy(odds, chunk[:, t + 1])
            optimiser.zero_grad()
            (loss / 49).backward()
            optimiser.step()
        return len(users)

    with one_thread():
        compare("Topo-LSTM epoch, N=500, L=50, d=64, torch", epoch, torch_epoch, 1.8, rounds=3)
