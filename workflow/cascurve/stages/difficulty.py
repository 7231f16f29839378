"""Stage: how hard the training cascades of each cell are."""

from dataclasses import asdict
from typing import Any

import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.dataset import DataSets


def run(spec: dict[str, Any], datasets: DataSets) -> pa.Table:
    """Kind "difficulty": one row per length that has a data set.

    Parameters
    ----------
    spec : keys seed, data, module, parameters.

    Returns
    -------
    Columns ``length``, the fields of the measure, ``n_users``, ``n_train``, ``n_test``, and the numbers that tell
    how the data set came about (tries, reach probability, …). Difficulty is that of the training cascades: all that
    a model can learn from.
    """
    measure = plugins.load("disorder", spec["module"]).measure
    rows = []
    for length, dataset in datasets.by_length.items():
        rng = seeding.generator(spec["seed"], "difficulty", data=spec["data"], length=length)
        row = {"length": length} | asdict(measure(dataset.train, **spec["parameters"], rng=rng))
        sizes = {"n_users": dataset.n_users, "n_train": len(dataset.train), "n_test": len(dataset.test)}
        made = {name: value for name, value in datasets.cells.get(length, {}).items() if isinstance(value, int | float)}
        rows.append(row | sizes | made)
    return pa.Table.from_pylist(rows) if rows else pa.table({"length": pa.array([], pa.int64())})
