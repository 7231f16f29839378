"""Values that RELISON's own classes gave, on graphs of our making."""

import json

import numpy as np
import pytest
from tests.novelty.maker import task_of

from cascurve import plugins
from cascurve.novelty import distances

NAMES = {plugins.load("novelty", name).NAME: name for name in plugins.names("novelty")}


@pytest.fixture(scope="module")
def cases(shared_data) -> list[dict]:
    path = shared_data / "relison" / "gold_novelty.json"
    if not path.is_file():
        pytest.skip(f"no RELISON values at {path}")
    return json.loads(path.read_text())["cases"]


@pytest.mark.parametrize("weighted", [True, False], ids=["weighted", "binary"])
def test_equals_the_original_classes(cases, weighted) -> None:
    compared = 0
    for case in cases:
        task = task_of(case, weighted=weighted)
        expected = case["expected_weighted_features" if weighted else "expected_binary_features"]
        for key, gold in expected.items():
            name, at, k = key.rpartition("@")
            if at:
                ours = plugins.load("novelty", NAMES[name]).score(task, int(k)).value
                assert ours == pytest.approx(float(gold), abs=1e-9), (case["name"], key)
                compared += 1
        if "vertices" in expected:
            assert task.graph.n_nodes == expected["vertices"]
            assert task.linkers == expected["numUsersWithPreferences"]
    assert compared >= (70 if weighted else 20)


def test_distances_equal_the_recorded_ones(cases) -> None:
    compared = 0
    for case in cases:
        task = task_of(case, weighted=True)
        hops = distances.distances(task.graph, task.lists.targets[task.lists.list_of], task.lists.candidates)
        numbers = {f"{u}->{v}": d for (u, v, _), d in zip(case["recommendations"], hops.tolist(), strict=True)}
        for pair, gold in case["distances"].items():
            assert numbers[pair] == (-1 if np.isinf(float(gold)) else float(gold)), (case["name"], pair)
            compared += 1
    assert compared > 300
