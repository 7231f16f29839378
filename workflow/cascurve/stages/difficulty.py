"""Stage: how hard the cascades of each cell are."""

from dataclasses import asdict
from typing import Any

import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.dataset import DataSets


def run(spec: dict[str, Any], datasets: DataSets) -> pa.Table:
    """Kind "difficulty": one row per length that has a data set.

    Parameters
    ----------
    spec : keys seed, data, module, parameters; ``part``: the cascades it is measured on (train | test | all); and
        ``measures``: column -> further measure of disorder, its module (``use``) and parameters.

    Returns
    -------
    Columns ``length``, the fields of the measure, those of further measures (value, and standard error as
    ``<column>_se``), ``n_users``, ``n_train``, ``n_test``, and the numbers that tell how the data set came about
    (tries, reach probability, …).
    """
    measure = plugins.load("disorder", spec["module"]).measure
    rows = []
    for length, dataset in datasets.by_length.items():
        cascades = dataset.part(spec["part"])
        rng = seeding.generator(spec["seed"], "difficulty", data=spec["data"], length=length)
        row = {"length": length} | asdict(measure(cascades, **spec["parameters"], rng=rng))
        for name, further in spec["measures"].items():
            parameters = {key: value for key, value in further.items() if key != "use"}
            reading = plugins.load("disorder", further["use"]).measure(cascades, **parameters, rng=rng)
            row |= {name: reading.value, f"{name}_se": reading.se}
        sizes = {"n_users": dataset.n_users, "n_train": len(dataset.train), "n_test": len(dataset.test)}
        made = {name: value for name, value in datasets.cells.get(length, {}).items() if isinstance(value, int | float)}
        rows.append(row | sizes | made)
    return pa.Table.from_pylist(rows) if rows else pa.table({"length": pa.array([], pa.int64())})
