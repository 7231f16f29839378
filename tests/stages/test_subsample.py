"""Data sets of fixed lengths, as a study draws them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cascurve.errors import ConfigError
from cascurve.formats import mshgat
from cascurve.formats.imported import Imported
from cascurve.stages import subsample


def given(folder: Path, same: int, later: int, late: int = 2501) -> Imported:
    """25 cascades for training, and from 2500 on 6 for test; `same` are in both, `later` of training begin `late`."""
    rng = np.random.default_rng(0)
    rows = [(rng.permutation(20)[:4].tolist(), 100 * k) for k in range(31)]
    rows[:later] = [(users, late + k) for k, (users, _) in enumerate(rows[:later])]
    rows[25 : 25 + same] = [(rows[5 + k][0], 2500 + 100 * k) for k in range(same)]
    files = {"train": rows[:25], "test": rows[25:]}
    for part, of_part in files.items():
        lines = (",".join(f"{user} {time}" for user in users) for users, time in of_part)
        (folder / part).write_text("\n".join(lines) + "\n")
    return mshgat.read({part: folder / part for part in files})


def spec(**parameters: Any) -> dict[str, Any]:
    return {
        "seed": 1,
        "dataset": "mine",
        "replicate": 0,
        "parameters": {"split": "given", **parameters},
        "lengths": [3, 4],
        "grade": None,
    }


@pytest.mark.parametrize(
    ("same", "later", "words"),
    [
        (1, 0, "1 of 6 test cascades are also in training"),
        (
            0,
            2,
            "2 of 25 training cascades begin after the first test cascade does: what is learned includes the future",
        ),
        (1, 1, "1 of 6 test cascades are also in training; 1 of 25 training cascades begin after the first"),
    ],
)
def test_leaks_of_a_given_split_are_warned_of_by_default(tmp_path, same, later, words) -> None:
    imported = given(tmp_path, same, later)
    (warning,) = subsample.warnings(subsample.run(spec(), imported))
    assert warning.startswith(f"the split leaks at length 3, 4; at 3, {words}")
    with pytest.raises(ConfigError, match=rf"'empirical\.mine\.subsample\.leakage'.*{words}"):
        subsample.run(spec(leakage="error"), imported)


def test_a_split_that_does_not_leak_is_not_warned_of(tmp_path) -> None:
    datasets = subsample.run(spec(leakage="error"), given(tmp_path, 0, 0))
    assert not list(subsample.warnings(datasets))
    assert datasets.cells[3]["account"][-1]["note"] == "no leak found"


def test_what_begins_with_the_first_test_cascade_is_not_after_it(tmp_path) -> None:
    assert not list(subsample.warnings(subsample.run(spec(), given(tmp_path, 0, 1, late=2500))))


def test_a_chronological_split_of_the_same_files_knows_no_future(tmp_path) -> None:
    datasets = subsample.run(spec(split="chronological"), given(tmp_path, 0, 2, late=2801))
    assert not list(subsample.warnings(datasets))


def test_draws_have_a_stream_of_the_studys_seed_and_the_replicate(tmp_path) -> None:
    imported = given(tmp_path, 0, 0)
    first, same, seed, replicate = (
        subsample.run(spec() | change, imported).by_length[3].train.users.tolist()
        for change in ({}, {}, {"seed": 2}, {"replicate": 1})
    )
    assert first == same
    assert first not in (seed, replicate)
