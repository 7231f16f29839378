"""Stage: one learner on one binary data set; every measure of every model on every small test set."""

import sys
from typing import Any

import numpy as np
import pyarrow as pa

from cascurve import plugins, seeding
from cascurve.selection.examples import cuts
from cascurve.selection.measuring import measured
from cascurve.selection.reading import read_examples


def run(spec: dict[str, Any], file: str) -> tuple[pa.Table, dict[str, int]]:
    """Values, and the sizes of the data set and its cuts.

    Parameters
    ----------
    spec : keys seed, set, positive, target, module, parameters, subsets, tests, repeats.

    Returns
    -------
    values : kind "classified": ``repeat``, ``model``, ``test``, and a column per measure.
    facts : ``n``, ``n_positive``, ``n_attributes``, ``n_train``, ``test_size``, ``test_positive``.
    """
    examples = read_examples(file, positive=spec["positive"], target=spec["target"])
    learner = plugins.load("selection/learners", spec["module"]).Model(**spec["parameters"])
    # The cuts are the same for all learners.
    rng = seeding.generator(spec["seed"], "cuts", set=spec["set"])
    parts = list(cuts(examples.positive, subsets=spec["subsets"], tests=spec["tests"], rng=rng))[: spec["repeats"]]
    tables = []
    for repeat, cut in enumerate(parts):
        asked = np.unique(cut.tests)
        seed = int(seeding.generator(spec["seed"], "learner", set=spec["set"], repeat=repeat).integers(2**31))
        predicted = learner.predict(examples.take(cut.train), examples.take(asked), seed)
        probabilities = np.stack([np.asarray(values, np.float64) for values in predicted.values()])
        values = measured(probabilities, np.searchsorted(asked, cut.tests), cut.n_positive)
        n_models, n_tests = len(predicted), len(cut.tests)
        keys = {
            "repeat": np.full(n_models * n_tests, repeat, np.int32),
            "model": pa.array([name for name in predicted for _ in range(n_tests)], pa.string()),
            "test": np.tile(np.arange(n_tests, dtype=np.int32), n_models),
        }
        tables.append(pa.table(keys | {name: column.ravel() for name, column in values.items()}))
        print(f"repeat {repeat + 1} of {len(parts)}: done", file=sys.stderr, flush=True)
    facts = {
        "n": len(examples),
        "n_positive": int(examples.positive.sum()),
        "n_attributes": len(examples.nominal),
        "n_train": len(parts[0].train),
        "test_size": parts[0].tests.shape[1],
        "test_positive": parts[0].n_positive,
    }
    return pa.concat_tables(tables), facts
