"""Softened AUC of a million scores against scikit-learn's roc_auc_score, and the cost of MSA; CPU time, medians."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from cascurve.metrics import sauc
from cascurve.metrics.relevant_ranks import ranks_of
from cascurve.selection.few_cascades import few_cascades

GOAL = 2.0
ROUNDS = 5


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_softened_auc_of_a_million_scores(share, kind) -> None:
    metrics = pytest.importorskip("sklearn.metrics", exc_type=ImportError)
    rng = np.random.default_rng(0)
    truth = rng.random(10**6) < share
    scores = np.clip(rng.normal(0.4 + 0.2 * truth, 0.15), 0, 1).astype(kind)
    positives = np.flatnonzero(truth)

    functions: tuple[Callable[[], object], ...] = (
        lambda: sauc.softened_auc(scores, truth),
        lambda: sauc.score(ranks_of(scores[None], [0, len(positives)], positives, [0])),
        lambda: metrics.roc_auc_score(truth, scores),
    )
    times: tuple[list[float], ...] = ([], [], [])
    for run in range(ROUNDS + 1):  # the first warms up
        for function, spent in zip(functions, times, strict=True):
            start = time.process_time()
            function()
            if run:
                spent.append(time.process_time() - start)
    mine, by_ranks, peer = (float(np.median(spent)) for spent in times)
    print(
        f"\nSAUC of 10^6 {np.dtype(kind).name} scores, {share:.0%} positive: {mine * 1e3:.0f} ms; roc_auc_score "
        f"{peer * 1e3:.0f} ms; ratio {mine / peer:.2f} (goal ≤ {GOAL}); as a measure of a ranking, the places of all "
        f"positives included: {by_ranks * 1e3:.0f} ms, ratio {by_ranks / peer:.2f}"
    )
    assert mine / peer <= GOAL


def test_msa_of_one_set_of_cascades() -> None:
    """18 measures, 10 models, 1000 cascades, 5 sizes, 100 tests, 20 repeats: what one cell of a study costs."""
    rng = np.random.default_rng(0)
    values, clusters = rng.random((18, 10, 1000)), np.repeat(np.arange(20), 50)
    start = time.process_time()
    few_cascades(values, [0, 1, 2, 3], clusters, sizes=[1, 2, 4, 8, 16], tests=100, repeats=20, ties="half", rng=rng)
    print(f"\nMSA of one cell: {time.process_time() - start:.2f} s of CPU")
