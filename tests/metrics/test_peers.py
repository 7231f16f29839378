"""Other tools' numbers: what agrees with ours to 1e-9, by which name; docs/metrics.md shows this very table.

`python tests/metrics/test_peers.py` writes the table anew.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of

DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"
START, END = "<!-- table of names: start -->\n", "<!-- table of names: end -->\n"

# (our measure and parameters, ranx, pytrec_eval, ir-measures); None = has none, or of another convention.
NAMES: list[tuple[str, dict[str, Any], str | None, str | None, str | None]] = [
    ("average_precision", {}, "map", "map", "AP"),
    ("average_precision", {"k": 10}, "map@10", "map_cut.10", "AP@10"),
    ("rbp", {"p": 0.8}, "rbp.80", None, None),
    ("ndcg", {}, "ndcg", "ndcg", "nDCG"),
    ("ndcg", {"k": 10}, "ndcg@10", "ndcg_cut.10", "nDCG@10"),
    ("precision", {"k": 10}, "precision@10", "P.10", "P@10"),
    ("recall", {"k": 10}, "recall@10", "recall.10", "R@10"),
    ("f1", {"k": 10}, "f1@10", None, None),
    ("r_precision", {}, "r-precision", "Rprec", "Rprec"),
    ("success", {"k": 10}, "hit_rate@10", "success.10", "Success@10"),
    ("hits", {"k": 10}, "hits@10", None, None),
    ("hits", {}, "hits", "num_rel_ret", "NumRelRet"),
    ("reciprocal_rank", {}, "mrr", "recip_rank", "RR"),
    ("bpref", {}, None, "bpref", "Bpref"),
]
PEERS = ("ranx", "pytrec_eval", "ir_measures")
PAIRS = [(m, p, peer, name) for m, p, *names in NAMES for peer, name in zip(PEERS, names, strict=True) if name]

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def column(measure: str, parameters: dict[str, Any]) -> str:
    return importlib.import_module(f"cascurve.metrics.{measure}").column(**parameters)


def table() -> str:
    header = ["| ours | configuration | ranx | pytrec_eval (trec_eval) | ir-measures |", "|---|---|---|---|---|"]
    for measure, parameters, *names in NAMES:
        config = ", ".join(f"{key}: {value}" for key, value in parameters.items())
        cells = [f"`{name}`" if name else "–" for name in names]
        header.append(f"| `{column(measure, parameters)}` | `{measure}: {{{config}}}` | {' | '.join(cells)} |")
    return "\n".join(header) + "\n"


def test_the_table_in_the_docs_is_this_one() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert text.split(START)[1].split(END)[0] == table(), "run: python tests/metrics/test_peers.py"


@pytest.fixture(scope="module")
def rankings() -> tuple[RelevantRanks, Run, Qrels]:
    """Full rankings and short lists without ties, with unranked recipients; every item judged."""
    rng = np.random.default_rng(7)
    n, m = 60, 40
    scores = np.stack([rng.permutation(n) for _ in range(m)]).astype(np.float32) / 8
    for row, length in zip(scores, rng.integers(1, n + 1, m), strict=True):
        row[rng.permutation(n)[length:]] = np.nan
    truths = [rng.choice(n, rng.integers(1, 25), replace=False) for _ in range(m)]
    offsets = np.cumsum([0, *map(len, truths)])
    run = {f"q{i:02}": {f"u{u}": float(row[u]) for u in np.flatnonzero(~np.isnan(row))} for i, row in enumerate(scores)}
    qrels: Qrels = {}
    for i, truth in enumerate(truths):
        judged = set(np.flatnonzero(~np.isnan(scores[i]))) | set(truth)
        qrels[f"q{i:02}"] = {f"u{u}": int(u in truth) for u in sorted(judged)}
    return ranks_of(scores, offsets, np.concatenate(truths), np.arange(m)), run, qrels


def by_ranx(name: str, run: Run, qrels: Qrels) -> list[float]:
    ranx = pytest.importorskip("ranx", exc_type=ImportError)
    relevant = {query: {item: 1 for item, value in judged.items() if value} for query, judged in qrels.items()}
    values = ranx.evaluate(ranx.Qrels(relevant), ranx.Run(run), name, return_mean=False, make_comparable=False)
    return list(values)


def by_pytrec_eval(name: str, run: Run, qrels: Qrels) -> list[float]:
    pytrec_eval = pytest.importorskip("pytrec_eval", exc_type=ImportError)
    values = pytrec_eval.RelevanceEvaluator(qrels, {name}).evaluate(run)
    return [values[query][name.replace(".", "_")] for query in run]


def by_ir_measures(name: str, run: Run, qrels: Qrels) -> list[float]:
    ir_measures = pytest.importorskip("ir_measures", exc_type=ImportError)
    measure = ir_measures.parse_measure(name)
    values = {value.query_id: value.value for value in ir_measures.iter_calc([measure], qrels, run)}
    return [values[query] for query in run]


ASK: dict[str, Callable[[str, Run, Qrels], list[float]]] = {
    "ranx": by_ranx, "pytrec_eval": by_pytrec_eval, "ir_measures": by_ir_measures,
}  # fmt: skip


def ours(measure: str, parameters: dict[str, Any], ranks: RelevantRanks) -> NDArray[np.float64]:
    return importlib.import_module(f"cascurve.metrics.{measure}").score(ranks, **parameters)


@pytest.mark.parametrize(("measure", "parameters", "peer", "name"), PAIRS, ids=str)
def test_agrees_without_ties(rankings, measure, parameters, peer, name) -> None:
    ranks, run, qrels = rankings
    np.testing.assert_allclose(ours(measure, parameters, ranks), ASK[peer](name, run, qrels), rtol=0, atol=1e-9)


TIED = [(m, p, name) for m, p, _, name, _ in NAMES if name]


@pytest.mark.parametrize(("measure", "parameters", "name"), TIED, ids=str)
def test_with_ties_is_the_mean_of_trec_eval_over_every_order(orders_of, measure, parameters, name) -> None:
    """trec_eval breaks ties by the item's name; the mean over all orders is ours."""
    rng = np.random.default_rng(9)
    for _ in range(4):
        scores = rng.integers(0, 3, 6).astype(np.float32)
        truth = rng.choice(6, 2, replace=False)
        every = orders_of(scores.tolist())
        run = {f"q{i:04}": {f"u{u}": float(-place) for place, u in enumerate(order)} for i, order in enumerate(every)}
        qrels = {query: {f"u{u}": int(u in truth) for u in range(6)} for query in run}
        mine = ours(measure, parameters, ranks_of(scores[None], [0, 2], truth, [0]))[0]
        assert mine == pytest.approx(np.mean(by_pytrec_eval(name, run, qrels)), abs=1e-9)


def test_auc_and_probability_measures_agree_with_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics", exc_type=ImportError)
    rng = np.random.default_rng(3)
    scores = rng.random((5, 50)).astype(np.float32).round(1).clip(0.05, 0.95)
    truth = np.concatenate([rng.choice(50, 8, replace=False) for _ in range(5)])
    ranks = ranks_of(scores, np.arange(6) * 8, truth, np.arange(5))
    for i, row in enumerate(scores.astype(float)):
        y = np.isin(np.arange(50), truth[8 * i : 8 * i + 8])
        assert ours("auc", {}, ranks)[i] == pytest.approx(metrics.roc_auc_score(y, row), abs=1e-9)
        assert ours("log_loss", {}, ranks)[i] == pytest.approx(metrics.log_loss(y, row), abs=1e-9)
        assert ours("rms", {}, ranks)[i] == pytest.approx(metrics.brier_score_loss(y, row) ** 0.5, abs=1e-9)


if __name__ == "__main__":
    before, rest = DOCS.read_text(encoding="utf-8").split(START)
    DOCS.write_text(before + START + table() + END + rest.split(END)[1], encoding="utf-8")
