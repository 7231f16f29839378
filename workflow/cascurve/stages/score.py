"""Stage: every measure of every test cascade, from a model's rankings."""

from typing import Any

import numpy as np
import pyarrow as pa

from cascurve.dataset import DataSets
from cascurve.metrics.scoring import score_cascades
from cascurve.storage import run_of

KEYS = pa.schema([("length", pa.int32()), ("cascade", pa.int32()), ("source", pa.int32())])


def run(spec: dict[str, Any], datasets: DataSets, rankings: pa.Table) -> pa.Table:
    """One row per test cascade.

    Parameters
    ----------
    spec : keys measures (name -> parameters) and lengths.
    rankings : kind "rankings", as made by the stage `rank`.

    Returns
    -------
    kind "scores": ``length``, ``cascade`` (index in the test set), ``source``, and a column per measure.
    """
    ranked = rankings.column("length").to_numpy()
    tables = [KEYS.empty_table()]
    for length in spec["lengths"]:
        rows = run_of(ranked == length, rankings)
        if not len(rows):
            continue
        test = datasets.by_length[length].test
        scores = rows.column("scores").combine_chunks().flatten().to_numpy().reshape(len(rows), test.n_users)
        queries = np.searchsorted(rows.column("source").to_numpy(), test.sources)
        columns = score_cascades(scores, test, queries, spec["measures"])
        keys = {
            "length": np.full(len(test), length, np.int32),
            "cascade": np.arange(len(test), dtype=np.int32),
            "source": test.sources,
        }
        tables.append(pa.table(keys | columns))
    return pa.concat_tables(tables, promote_options="default")
