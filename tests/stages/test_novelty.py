"""From kept rankings to novelty per model and length, and beside the points."""

import math

import numpy as np
import pyarrow as pa
import pytest

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet, DataSets
from cascurve.graph import Graph
from cascurve.stages import novelty, novelty_points
from cascurve.storage import write_table

DATA = "topology=er/n=4/degree=2/mechanism=ic/replicate=0"
MEASURES = {"long_tail": {}, "tail": {"use": "gini"}}
SPEC = {"seed": 1, "data": DATA, "lengths": [2, 3], "measures": MEASURES, "cutoffs": [1, 2]}
GRAPH = Graph.from_edges(4, [0, 1, 2, 0], [1, 2, 3, 2], directed=True)


@pytest.fixture
def datasets() -> DataSets:
    train = CascadeSet.of([[0, 1, 2], [1, 2, 3]], 4)
    return DataSets({3: DataSet(train, CascadeSet.of([[0, 2, 3], [0, 1, 2], [1, 2, 3]], 4))})


def rankings(folder, model: str, scores: list[list[float]], lengths: str = "2-3") -> str:
    file = folder / "rankings" / DATA / f"model={model}" / f"lengths={lengths}" / "rankings.parquet"
    table = pa.table(
        {
            "length": np.full(len(scores), 3, np.int32),
            "source": np.arange(len(scores), dtype=np.int32),
            "scores": pa.array(scores, pa.large_list(pa.float32())),
        }
    )
    write_table(table, file, "rankings", failed={2: "too short"})
    return str(file)


def test_all_models_from_their_rankings(tmp_path, datasets) -> None:
    nan = math.nan
    files = [
        rankings(tmp_path, "cdk", [[nan, 3, 2, 1], [1, nan, 3, 2]]),
        rankings(tmp_path, "pae", [[nan, 1, 2, 3], [3, nan, 2, 1]]),
        rankings(tmp_path, "pae", [[nan, 9, 9, 9], [9, nan, 9, 9]], lengths="3"),  # a chunk that overlaps
    ]
    table = novelty.every_model(SPEC, datasets, GRAPH, files)
    by_model = {row["model"]: row for row in table.to_pylist()}
    assert list(by_model) == ["cdk", "pae"]
    assert {row["length"] for row in by_model.values()} == {3}
    # in-links: 0 has none, 1 one, 2 two, 3 one; three users have out-links
    assert by_model["cdk"]["long_tail@1"] == pytest.approx(1 - (1 + 2) / 2 / 3)
    assert by_model["cdk"]["long_tail@2"] == pytest.approx(1 - (1 + 2 + 2 + 1) / 4 / 3)
    assert by_model["pae"]["long_tail@1"] == pytest.approx(1 - (1 + 0) / 2 / 3)
    assert by_model["cdk"]["long_tail@1_se"] == pytest.approx(1 / 6)
    assert "tail@1_se" not in table.column_names
    assert by_model["cdk"]["lists"] == 2
    unknown = novelty.every_model(SPEC, datasets, Graph.from_edges(4, [], [], directed=True), files[:1])
    assert math.isnan(unknown.column("long_tail@1")[0].as_py())


def test_novelty_stands_beside_its_point(tmp_path) -> None:
    table = pa.table({"model": ["cdk"], "length": pa.array([3], pa.int32()), "lists": [2], "tail@1": [0.5]})
    file = tmp_path / "novelty" / DATA / "lengths=2-3" / "novelty.parquet"
    write_table(table, file, "novelty")
    place = {"group": "er", "network": "er/4/2", "mechanism": "ic", "replicate": 0}
    rows = [
        place | {"length": length, "model": model, "status": status, "map": 0.1}
        for length, model, status in ((2, "cdk", "too short"), (3, "cdk", "ok"), (3, "pae", "ok"))
    ]
    spec = {"measures": {"tail": {"use": "gini"}}, "cutoffs": [1]}
    joined = novelty_points.run(spec, pa.Table.from_pylist(rows), [str(file)])
    assert joined.column("tail@1").to_pylist() == [None, 0.5, None]
    assert joined.column("tail@1_se").to_pylist() == [None] * 3
    assert joined.column("map").to_pylist() == [0.1] * 3
