import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet, DataSets
from cascurve.disorder import kendall_tau
from cascurve.disorder.apce import Difficulty, measure
from cascurve.stages import difficulty
from cascurve.study.config import APCE

TRAIN = CascadeSet.of([[0, 1, 2], [1, 0, 2], [2, 1, 0]], 4)
TEST = CascadeSet.of([[0, 1, 2], [0, 1, 2]], 4)
BOTH = CascadeSet.of([*TRAIN, *TEST], 4)
SPEC = {"seed": 1, "data": "d", "module": "apce", "parameters": {}, "measures": {"tau": {"use": "kendall_tau"}}}


@pytest.mark.parametrize(("part", "cascades"), [("train", TRAIN), ("test", TEST), ("all", BOTH)])
def test_difficulty_of_a_part_with_further_measures(part: str, cascades: CascadeSet) -> None:
    row = difficulty.run(SPEC | {"part": part}, DataSets({3: DataSet(TRAIN, TEST)})).to_pylist()[0]
    expected = measure(cascades, rng=np.random.default_rng(0))
    for name in APCE:
        assert row[name] == pytest.approx(getattr(expected, name), nan_ok=True)
        assert row[f"{name}_se"] == pytest.approx(getattr(expected, f"{name}_se"), nan_ok=True)
    reading = kendall_tau.measure(cascades, rng=np.random.default_rng(0))
    assert (row["tau"], row["tau_se"]) == pytest.approx((reading.value, reading.se), nan_ok=True)
    assert (row["length"], row["n_train"], row["n_test"]) == (3, 3, 2)


def test_a_part_keeps_its_times() -> None:
    timed = CascadeSet.of([[0, 1]], 4, times=[[0.0, 2.0]])
    both = DataSet(timed, timed).part("all")
    assert both.times is not None
    assert both.times.tolist() == [0, 2, 0, 2]
    assert DataSet(timed, TEST).part("all").times is None


def test_a_study_can_name_every_estimate() -> None:
    fields = Difficulty.__annotations__
    assert {field for field in fields if f"{field}_se" in fields} == set(APCE)
