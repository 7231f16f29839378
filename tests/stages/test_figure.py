"""Every figure can be drawn by the workflow, whatever it needs beside points and fits."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.points_maker import make_novelty

from cascurve import plugins
from cascurve.curves.bands import bands
from cascurve.curves.comparison import Comparison
from cascurve.stages import curves, figure, paired


@pytest.fixture(scope="module")
def points() -> pa.Table:
    """Two models on nine networks of known curves, and a real data set."""
    rng = np.random.default_rng(1)
    rows = []
    for group, mechanism in (("er", "ic"), ("twitter", None)):
        for n in (100, 200, 300, 400, 500, 600, 700, 800, 900):
            for length in (10, 20):
                x = rng.uniform(0.2, 0.9)
                for model, height in (("cdk", 9.0), ("popularity", 4.0)):
                    smap = 1 + height * np.exp(-2 * x) * rng.lognormal(0, 0.05)
                    row = {"group": group, "network": f"{group}/{n}", "n": n, "degree": 4.0, "mechanism": mechanism}
                    row |= {"replicate": 0, "length": length, "model": model, "status": "ok", "n_users": n}
                    row |= {
                        "apce": x,
                        "apce_bayes": x,
                        "apce_pairs": x / 2,
                        "smap": smap,
                        "map": smap * length / n,
                        "chance": length / n,
                    }
                    rows.append(row | {"pair_support": 20.0, "once_share": 0.1, "n_train": 100, "n_test": 50})
    return pa.Table.from_pylist(rows)


def needed(points: pa.Table, comparisons: str) -> dict[str, Any]:
    """Every table that a figure may need."""
    return {
        "bands": bands(points, seed=1, xs=("apce", "apce_bayes", "apce_pairs"), resamples=100),
        "comparisons": [Comparison.from_json(line) for line in comparisons.splitlines()],
        "costs": pa.table({"model": ["cdk", "popularity"], "seconds": [1.5, 0.1]}),
        "novelty": make_novelty(points),
    }


@pytest.mark.parametrize("name", plugins.names("figures"))
def test_every_figure_is_drawn_and_described(points: pa.Table, name: str) -> None:
    fits, _, comparisons = curves.run({"seed": 1, "x": "apce_bayes"}, points, paired.SCHEMA.empty_table())
    drawn, words = figure.run({"module": name, "parameters": {}}, points, fits, needed(points, comparisons))
    assert drawn.axes
    assert len(words) > 20


def test_the_chosen_difficulty_has_curves_and_nulls(points: pa.Table) -> None:
    fits, nulls, comparisons = curves.run({"seed": 1, "x": "apce_pairs"}, points, paired.SCHEMA.empty_table())
    for table in (fits, nulls):
        assert set(table.column("x").to_pylist()) == {"apce", "apce_bayes", "apce_pairs"}
    for name in ("curves", "bands", "difference"):
        parameters = {} if name == "difference" else {"x": "apce_pairs"}
        spec = {"module": name, "parameters": parameters}
        drawn, words = figure.run(spec, points, fits, needed(points, comparisons))
        assert any("4pq" in axes.get_xlabel() for axes in drawn.axes), name
        assert words
