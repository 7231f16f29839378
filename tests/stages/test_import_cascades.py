"""Real cascades into our form, as a study prepares them."""

from pathlib import Path

import pytest

from cascurve.errors import ConfigError
from cascurve.stages import import_cascades


@pytest.fixture
def spec(tmp_path: Path) -> dict:
    file = tmp_path / "c.txt"
    file.write_text("".join(f"0,{k} " + " ".join(f"{user},{k}" for user in range(1, 9)) + "\n" for k in range(50)))
    entry = {"seed": 1, "dataset": "mine", "module": "forest", "parameters": {}, "graph": None, "expected": {}}
    return entry | {"cascades": {"all": str(file)}, "prepare": {"ties": "random"}}


def test_random_ties_have_a_stream_of_the_studys_seed_and_the_data_set(spec) -> None:
    changes = ({}, {}, {"seed": 2}, {"dataset": "b"}, {"prepare": {"ties": "keep"}})
    first, again, *others = (import_cascades.run(spec | change).cascades.users.tolist() for change in changes)
    assert first == again
    assert len({tuple(order) for order in (first, *others)}) == 4


def test_a_window_of_dates_names_the_key_of_the_study(spec) -> None:
    with pytest.raises(ConfigError, match=r"'empirical\.mine\.prepare\.window'.*own unit.*options\.unit"):
        import_cascades.run(spec | {"prepare": {"window": ["2010-09-20", "2010-10-10"]}})
