"""The two leaks of a split, by the jobs that import and draw: each is a warning by default, or an error on request."""

from typing import Any

import pytest

from cascurve.errors import ConfigError
from cascurve.stages import import_cascades, subsample

DAY = 86400.0
TRAIN = [[(i + 3 * k * (1 + i % 5)) % 40 for k in range(4)] for i in range(30)]
TEST = [[(i + 7 + k * 11) % 40 for k in range(4)] for i in range(8)]


def warnings(tmp_path, train, test, starts: dict[int, float] | None = None, **parameters: Any) -> list[str]:
    """Of a set with training cascades on day 0 and test cascades on day 9, but for the training cascades `starts`."""
    files = {}
    for part, cascades, day in (("train", train, 0.0), ("test", test, 9.0)):
        begins = {place: day for place in range(len(cascades))} | (starts or {} if part == "train" else {})
        path = tmp_path / f"{part}.txt"
        lines = (
            " ".join(f"{user},{begins[place] * DAY + k:.0f}" for k, user in enumerate(cascade))
            for place, cascade in enumerate(cascades)
        )
        path.write_text("".join(f"{line}\n" for line in lines))
        files[part] = str(path)
    spec = {"seed": 1, "dataset": "mine", "module": "forest", "parameters": {"unit": "seconds"}, "cascades": files}
    imported = import_cascades.run(spec | {"graph": None, "expected": {}, "prepare": None})
    drawn = {"split": "given", "min_train": 5, "min_test": 2} | parameters
    place = {"seed": 1, "dataset": "mine", "replicate": 0, "lengths": [3], "grade": None}
    return list(subsample.warnings(subsample.run(place | {"parameters": drawn}, imported)))


def test_nothing_leaks(tmp_path) -> None:
    assert warnings(tmp_path, TRAIN, TEST) == []
    assert warnings(tmp_path, TRAIN, TEST, {3: 9.0}) == [], "what begins with the first test cascade is not after it"
    assert warnings(tmp_path, TRAIN, TEST, leakage="error") == []


def test_the_same_cascade_in_both_parts(tmp_path) -> None:
    (line,) = warnings(tmp_path, TRAIN, [TRAIN[0], *TEST[1:]])
    assert line.startswith("the split leaks at length 3; at 3, 1 of 8 test cascades are also in training (")
    with pytest.raises(ConfigError, match=r"empirical\.mine\.subsample\.leakage.*1 of 8 test cascades"):
        warnings(tmp_path, TRAIN, [TRAIN[0], *TEST[1:]], leakage="error")


def test_the_future_in_training(tmp_path) -> None:
    (line,) = warnings(tmp_path, TRAIN, TEST, {3: 9.5, 4: 20.0})
    assert "2 of 30 training cascades begin after the first test cascade does" in line
    with pytest.raises(ConfigError, match=r"empirical\.mine\.subsample\.leakage.*includes the future"):
        warnings(tmp_path, TRAIN, TEST, {3: 9.5}, leakage="error")
    assert warnings(tmp_path, TRAIN, TEST, {3: 9.5, 4: 20.0}, split="chronological") == []
