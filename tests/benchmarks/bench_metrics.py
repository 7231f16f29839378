"""Speed of the measures against pytrec_eval and a bare NumPy sort, interleaved in one run; CPU time, medians."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from cascurve import plugins
from cascurve.metrics import average_precision
from cascurve.metrics.relevant_ranks import ranks_of
from cascurve.metrics.scoring import score_ranks

SHAPES = [(5000, 1000, 10), (5000, 1000, 100), (500, 300_000, 100)]
OF_DECISIONS = ("accuracy", "f_score", "lift", "score_spread")
"""Of the experiment on classifiers, and its control; they judge no ranking."""
RANKING = [name for name in plugins.names("metrics") if name not in OF_DECISIONS]
ALL = {name: {"k": 10} if name in ("precision", "f1", "success") else {} for name in RANKING}
OF_VALUES = ("sauc", "log_loss", "rms")


def interleaved(ours: Callable[[], object], peer: Callable[[], object], rounds: int = 5) -> tuple[float, float]:
    """Median CPU seconds of both, after one warm-up each."""
    times: tuple[list[float], list[float]] = ([], [])
    for run in range(rounds + 1):
        for function, spent in zip((ours, peer), times, strict=True):
            start = time.process_time()
            function()
            if run:
                spent.append(time.process_time() - start)
    return float(np.median(times[0])), float(np.median(times[1]))


def report(name: str, ours: float, peer: float, goal: float) -> None:
    print(f"\n{name}: ours {ours * 1e3:.1f} ms, peer {peer * 1e3:.1f} ms, ratio {peer / ours:.2f} (goal ≥ {goal})")


def task(queries: int, n: int, length: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    scores = rng.random((queries, n), dtype=np.float32)
    users = np.concatenate([rng.choice(n, length, replace=False) for _ in range(queries)])
    return scores, np.arange(queries + 1) * length, users


@pytest.mark.parametrize(("queries", "n", "length"), SHAPES)
def test_average_precision_against_a_bare_sort(queries, n, length) -> None:
    scores, offsets, users = task(queries, n, length)
    rows = np.arange(queries)

    def sort() -> None:
        for start in range(0, queries, 100):  # blocks, so that the peer needs no second copy of the matrix
            np.sort(scores[start : start + 100], axis=1)

    ours, peer = interleaved(lambda: average_precision.score(ranks_of(scores, offsets, users, rows)), sort)
    report(f"AP {queries}×{n}, {length} recipients, against numpy sort", ours, peer, 0.9)


@pytest.mark.parametrize(("queries", "n", "length"), [(200, 1000, 10), (200, 1000, 100), (2, 300_000, 100)])
def test_average_precision_against_pytrec_eval(queries, n, length) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", exc_type=ImportError)
    scores, offsets, users = task(queries, n, length)
    rows = np.arange(queries)
    names = [f"u{user}" for user in range(n)]
    run = {str(i): dict(zip(names, row.tolist(), strict=True)) for i, row in enumerate(scores)}
    truth = {str(i): {names[u]: 1 for u in users[offsets[i] : offsets[i + 1]]} for i in rows}
    evaluator = pytrec_eval.RelevanceEvaluator(truth, {"map"})
    ours, peer = interleaved(
        lambda: average_precision.score(ranks_of(scores, offsets, users, rows)), lambda: evaluator.evaluate(run)
    )
    report(f"AP {queries}×{n}, {length} recipients, against pytrec_eval (its dictionaries ready)", ours, peer, 25)


@pytest.mark.parametrize(("queries", "n", "length"), SHAPES)
@pytest.mark.parametrize("values", [False, True], ids=["of ranks", "all"])
def test_all_measures_against_average_precision_alone(queries, n, length, values) -> None:
    scores, offsets, users = task(queries, n, length)
    rows = np.arange(queries)
    chosen = {name: given for name, given in ALL.items() if values or name not in OF_VALUES}
    every, alone = interleaved(
        lambda: score_ranks(ranks_of(scores, offsets, users, rows), chosen),
        lambda: score_ranks(ranks_of(scores, offsets, users, rows), {"average_precision": {}}),
    )
    what = f"{len(chosen)} measures against AP alone, {queries}×{n}, {length} recipients"
    print(f"\n{what}: {every * 1e3:.1f} ms, {alone * 1e3:.1f} ms, {every / alone:.2f} times (goal ≤ 3)")
