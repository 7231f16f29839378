"""The next-user task on real sets, beside what publications report: ranges, since splits and protocols differ.

``python tests/models/test_published.py`` prints the table of docs/models.md.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.formats import mshgat, topolstm
from cascurve.graph import Graph
from cascurve.metrics import average_precision, success
from cascurve.metrics.next_user import steps
from cascurve.metrics.relevant_ranks import relevant_ranks
from cascurve.models.interface import rank, train

LONGEST = 200
"""Users of a cascade that count, as is usual in this task."""

CUTS = (10, 50, 100)


def given_split(folder: Path) -> tuple[DataSet, Graph | None]:
    files = {part: folder / f"{part}.txt" for part in ("train", "test")}
    imported = topolstm.read(files, graph=folder / "graph.txt")
    return DataSet(*(imported.cascades.take(imported.in_part(part)) for part in files)), imported.graph


def douban(folder: Path) -> tuple[DataSet, Graph | None]:
    """A fifth of the cascades, at random, for test; of those 150 are looked at."""
    imported = mshgat.read({"all": folder / "cascades.txt"}, graph=folder / "edges_refined.txt")
    order = np.random.default_rng(0).permutation(len(imported.cascades))
    held = len(order) // 5
    return DataSet(imported.cascades.take(order[held:]), imported.cascades.take(order[:150])), imported.graph


SETS: dict[str, Callable[[Path], tuple[DataSet, Graph | None]]] = {
    "twitter_topolstm": given_split,
    "android_infvae": given_split,
    "douban_mshgat": douban,
}
MODELS: dict[str, dict[str, object]] = {
    "popularity": {},
    "pair_count": {},
    "cdk": {},
    "embedded_ic": {"learning_rate": 1.0, "updates": 4_000_000, "simulations": 0},
    "topo_lstm": {"ranking": "prefix"},
}


def cut(cascades: CascadeSet) -> CascadeSet:
    lengths = np.minimum(cascades.lengths, LONGEST)
    entries = np.arange(len(cascades.users)) - np.repeat(cascades.offsets[:-1], cascades.lengths)
    keep = entries < np.repeat(lengths, cascades.lengths)
    times = None if cascades.times is None else cascades.times[keep]
    return CascadeSet(cascades.n_users, np.concatenate([[0], np.cumsum(lengths)]), cascades.users[keep], times)


def blocks(cascades: CascadeSet) -> Iterator[tuple[CascadeSet, CascadeSet]]:
    prefixes, truths, _ = steps(cascades)
    for start in range(0, len(prefixes), 500):
        rows = np.arange(start, min(start + 500, len(prefixes)))
        yield prefixes.take(rows), truths.take(rows)


def next_user(name: str, data: DataSet, graph: Graph | None) -> dict[str, float]:
    """Hits@k and MAP@k in percent, means over all steps of all test cascades."""
    model = plugins.load("models", name).Model(**MODELS[name])
    fitted = train(model, cut(data.train), graph=graph, rng=np.random.default_rng(0))
    found: dict[str, list[np.ndarray]] = {}
    for prefixes, truths in blocks(cut(data.test)):
        ranks = relevant_ranks(rank(fitted, prefixes), truths, np.arange(len(truths)))
        for k in CUTS:
            found.setdefault(f"Hits@{k}", []).append(success.score(ranks, k=k))
            found.setdefault(f"MAP@{k}", []).append(average_precision.score(ranks, k=k))
    return {measure: float(100 * np.concatenate(values).mean()) for measure, values in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "low", "high"), [("cdk", 20, 36), ("embedded_ic", 20, 36), ("popularity", 3, 15)])
def test_hits_on_twitter(shared_data: Path, name: str, low: float, high: float) -> None:
    """Published Hits@10: Embedded-IC 25.1 %. Topo-LSTM has 28.3 %, ours 19.5 % with its default training: open."""
    assert low < next_user(name, *given_split(shared_data / "twitter_topolstm"))["Hits@10"] < high


def main(chosen: list[str]) -> None:
    folder = Path(os.environ["CASCURVE_TEST_DATA"])
    for dataset in chosen or SETS:
        data, graph = SETS[dataset](folder / dataset)
        for name in MODELS:
            started = time.process_time()
            row = next_user(name, data, graph)
            seconds = time.process_time() - started
            print(dataset, name, *(f"{key} {value:.2f}" for key, value in row.items()), f"{seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
