"""Speed and memory of the pair counts against NumPy, SciPy, Polars and DuckDB on the same cascades.

CPU time of the process, medians of interleaved runs: other work on the machine stretches walls, and this less. Ours run
five times for each run of a peer, which is long enough to average over what passes by.
"""

import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from cascurve.cascades import CascadeSet
from cascurve.disorder import apce
from cascurve.disorder.pair_counts import pair_table

ROUNDS = int(os.environ.get("CASCURVE_BENCH_ROUNDS", "3"))


def uniform(n_users: int, m: int, length: int) -> CascadeSet:
    rng = np.random.default_rng(0)
    return CascadeSet.of([rng.permutation(n_users)[:length] for _ in range(m)], n_users)


def popular(n_users: int, lengths: np.ndarray) -> CascadeSet:
    """Users drawn by Zipf's law with exponent 0.8, repeats dropped."""
    rng = np.random.default_rng(0)
    bounds = np.cumsum(np.arange(1, n_users + 1) ** -0.8)
    rows = []
    for length in lengths.tolist():
        drawn = np.searchsorted(bounds, rng.random(3 * length) * bounds[-1])
        _, first = np.unique(drawn, return_index=True)
        rows.append(drawn[np.sort(first)][:length])
    return CascadeSet.of(rows, n_users)


def ours(cascades: CascadeSet) -> float:
    table = pair_table(cascades)
    n, k = table.support, table.minority
    p = k / n
    entropy = -np.where(k > 0, p * np.log2(np.where(k > 0, p, 1)), 0) - (1 - p) * np.log2(1 - p)
    return float((table.pairs * n * entropy).sum() / table.incidences)


def from_counts(forward: np.ndarray, backward: np.ndarray) -> float:
    n = forward + backward
    p = np.minimum(forward, backward) / n
    entropy = -np.where(p > 0, p * np.log2(np.where(p > 0, p, 1)), 0) - (1 - p) * np.log2(1 - p)
    return float((n * entropy).sum() / n.sum())


def numpy_dense(cascades: CascadeSet) -> float:
    counts = np.zeros((cascades.n_users, cascades.n_users), np.int32)
    for users in cascades:
        counts[users[:, None], users] += np.triu(np.ones((len(users), len(users)), np.int32), 1)
    upper = np.triu_indices(cascades.n_users, 1)
    forward, backward = counts[upper], counts.T[upper]
    seen = forward + backward > 0
    return from_counts(forward[seen], backward[seen])


def scipy_sparse(cascades: CascadeSet) -> float:
    sides = [(users[i], users[j]) for users in cascades for i, j in [np.triu_indices(len(users), 1)]]
    before, after = (np.concatenate(side) for side in zip(*sides, strict=True))
    low, high = np.minimum(before, after), np.maximum(before, after)
    shape = (cascades.n_users, cascades.n_users)
    both = sparse.coo_array((np.ones(len(low), np.int32), (low, high)), shape).tocsr()
    forward = sparse.coo_array(((before < after).astype(np.int32), (low, high)), shape).tocsr()
    both.sort_indices()
    forward.sort_indices()
    return from_counts(forward.data, both.data - forward.data)


QUERY = """
select count(*) as n, sum(case when a.position < b.position then 1 else 0 end) as forward
from entries a join entries b on a.cascade = b.cascade and a.user_id < b.user_id group by a.user_id, b.user_id
"""


def columns(cascades: CascadeSet) -> dict[str, np.ndarray]:
    position = np.arange(len(cascades.users)) - np.repeat(cascades.offsets[:-1], cascades.lengths)
    cascade = np.repeat(np.arange(len(cascades), dtype=np.int32), cascades.lengths)
    return {"cascade": cascade, "user_id": cascades.users, "position": position.astype(np.int32)}


def duckdb_join(cascades: CascadeSet) -> float:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    connection = duckdb.connect(config={"threads": 1})
    connection.register("entries", pyarrow.table(columns(cascades)))
    found = connection.execute(QUERY).fetchnumpy()
    forward = np.asarray(found["forward"], dtype=np.int64)
    return from_counts(forward, found["n"] - forward)


def polars_join(cascades: CascadeSet) -> float:
    polars = pytest.importorskip("polars")
    entries = polars.LazyFrame(columns(cascades))
    joined = entries.join(entries, on="cascade").filter(polars.col("user_id") < polars.col("user_id_right"))
    forward = (polars.col("position") < polars.col("position_right")).cast(polars.Int64).sum().alias("forward")
    found = joined.group_by("user_id", "user_id_right").agg(polars.len().alias("n"), forward).collect()
    ahead = found["forward"].to_numpy()
    return from_counts(ahead, found["n"].to_numpy().astype(np.int64) - ahead)


def compare(name: str, cascades: CascadeSet, peer: Callable[[CascadeSet], float], goal: float) -> None:
    ours(cascades.take([0]))
    expected = ours(cascades)
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(ROUNDS):
        for side, run in [("ours", ours)] * 5 + [("peer", peer)]:
            started = time.process_time()
            assert math.isclose(run(cascades), expected, rel_tol=1e-9)
            times[side].append(1e3 * (time.process_time() - started))
    mine, other = statistics.median(times["ours"]), statistics.median(times["peer"])
    print(f"{name}: ours {mine:.1f} ms, peer {other:.0f} ms, ratio {other / mine:.1f} (goal ≥ {goal:g})")


@pytest.mark.parametrize(("peer", "goal"), [(numpy_dense, 15), (duckdb_join, 80), (polars_join, 80)])
def test_small_dense(peer: Callable[[CascadeSet], float], goal: float) -> None:
    compare(f"APCE N=1000 m=5000 L=100, {peer.__name__}", uniform(1000, 5000, 100), peer, goal)


@pytest.mark.parametrize("peer", [scipy_sparse, duckdb_join, polars_join])
def test_many_users(peer: Callable[[CascadeSet], float]) -> None:
    """2,000 of the 20,000 cascades: the peers need 8 GB for all (with CASCURVE_BENCH_FULL=1)."""
    m = 20_000 if os.environ.get("CASCURVE_BENCH_FULL") else 2000
    compare(f"APCE N=300k m={m} L=100, {peer.__name__}", popular(300_000, np.full(m, 100)), peer, 40)


def test_jackknife_costs_few_passes() -> None:
    cascades = uniform(1000, 5000, 100)
    apce.measure(cascades, rng=np.random.default_rng(0))
    times: dict[str, list[float]] = {"plug-in": [], "whole": []}
    for _ in range(ROUNDS):
        for name, run in (("plug-in", ours), ("whole", lambda c: apce.measure(c, rng=np.random.default_rng(0)))):
            started = time.process_time()
            run(cascades)
            times[name].append(1e3 * (time.process_time() - started))
    plain, whole = (statistics.median(times[name]) for name in ("plug-in", "whole"))
    print(f"all estimates with s.e., N=1000 m=5000 L=100: {whole:.0f} ms, {whole / plain:.1f}x the plug-in alone")


def peak_mb(*, reset: bool = False) -> float:
    """Peak resident memory of this process (Linux), since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def in_a_process_of_its_own(what: str) -> None:
    """So that the peak of memory is its own."""
    subprocess.run([sys.executable, __file__, what], check=True)


def test_memory_with_many_users() -> None:
    in_a_process_of_its_own("many")


def test_heavy_tailed_lengths() -> None:
    """Lengths up to 20,000; 6·10⁹ pairs with CASCURVE_BENCH_FULL=1, else a tenth of the cascades."""
    in_a_process_of_its_own("heavy")


if __name__ == "__main__":
    if sys.argv[1] == "many":
        chosen, limit = popular(300_000, np.full(20_000, 100)), "goal ≤ 150 MB"
    else:
        m = 3553 if os.environ.get("CASCURVE_BENCH_FULL") else 355
        sizes = np.minimum(20_000, (np.random.default_rng(1).pareto(0.9, m) + 1) * 50).astype(int)
        chosen, limit = popular(300_000, sizes), "goal ≤ 3.5 ns a pair"
    words_of_64_bits = CascadeSet.of(list(np.arange(160_000).reshape(8, 20_000)))
    for compiled in (chosen.take([0]), words_of_64_bits):
        pair_table(compiled, method="sparse")
    base = peak_mb(reset=True)
    begun = time.process_time()
    summary = pair_table(chosen)
    spent = time.process_time() - begun
    extra = peak_mb() - base
    print(
        f"APCE {sys.argv[1]}: {summary.incidences:.3g} pairs, {spent:.2f} s, "
        f"{1e9 * spent / summary.incidences:.2f} ns a pair, {extra:.0f} MB extra ({limit})"
    )
