"""Table 1 of the paper: MAP@k of Embedded-IC and Topo-LSTM on three real data sets, beside what chance gives."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from cascurve.metrics import chance

KS = (100, 300, 500, 700, 900)
PUBLISHED = {
    ("twitter", "embedded_ic"): (0.751, 4.740, 12.568, 24.985, 43.347),
    ("twitter", "topo_lstm"): (0.665, 5.084, 13.681, 26.083, 42.050),
    ("digg", "embedded_ic"): (2.084, 9.073, 23.314, 47.249, 78.066),
    ("digg", "topo_lstm"): (2.444, 17.535, 25.812, 42.779, 69.534),
    ("douban", "embedded_ic"): (1.210, 3.251, 8.962, 17.734, 37.568),
    ("douban", "topo_lstm"): (0.935, 5.147, 10.035, 15.239, 35.327),
}
"""(data set, model) -> per cent at each k."""

_MOST_USERS = 20_000


def table1(points: pa.Table) -> pa.Table:
    """Published and own rows.

    Returns
    -------
    Table of kind "table1": source ("published" or "this study"), dataset, model, length (of the test cascades; null
    for published rows), and for each k ``map@k`` in per cent; beside it, for rows of the study, ``chance@k``, the
    exact level of a random ranking in per cent, and for published rows ``random_n@k``, the number of candidates among
    which a random list of k users with k recipients would reach that value: a row whose five numbers are about the
    same is what a random ranking of one set of users gives.
    """
    rows = [*_published(), *_own(points)]
    texts = [(name, pa.string()) for name in ("source", "dataset", "model")]
    kinds = (("map", pa.float64()), ("chance", pa.float64()), ("random_n", pa.int64()))
    numbers = [(f"{kind}@{k}", type_) for k in KS for kind, type_ in kinds]
    return pa.Table.from_pylist(rows, pa.schema([*texts, ("length", pa.int64()), *numbers]))


def random_n(per_cent: float, k: int) -> int:
    """Candidates N for which a random order of N, cut at k, with k recipients, has this MAP (nearest)."""
    candidates = np.arange(k, _MOST_USERS)
    expected = chance.average_precision(candidates, np.full(len(candidates), k), np.full(len(candidates), k))
    return int(candidates[np.abs(100 * expected - per_cent).argmin()])


def _published() -> Iterator[dict[str, object]]:
    for (dataset, model), values in PUBLISHED.items():
        row: dict[str, object] = {"source": "published", "dataset": dataset, "model": model}
        for k, value in zip(KS, values, strict=True):
            row |= {f"map@{k}": value, f"random_n@{k}": random_n(value, k)}
        yield row


def _own(points: pa.Table) -> Iterator[dict[str, object]]:
    """Each real data set's longest cascades, replicates averaged; nothing where the study measures no MAP@k."""
    measured = [k for k in KS if f"ap@{k}" in points.column_names]
    rows = [row for row in points.to_pylist() if not row.get("mechanism") and row["status"] == "ok"]
    longest: dict[tuple[str, str], int] = {}
    for row in rows:
        place = row["group"], row["model"]
        longest[place] = max(longest.get(place, 0), row["length"])
    for (dataset, model), length in longest.items() if measured else ():
        same = [row for row in rows if (row["group"], row["model"], row["length"]) == (dataset, model, length)]
        made: dict[str, object] = {"source": "this study", "dataset": dataset, "model": model, "length": length}
        for k in measured:
            for kind, column in (("map", f"ap@{k}"), ("chance", f"chance:ap@{k}")):
                made[f"{kind}@{k}"] = 100 * float(np.mean([row[column] for row in same]))
        yield made
