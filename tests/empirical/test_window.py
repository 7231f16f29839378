"""A window of dates: taken where times are known to count from 1970, and refused with reasons elsewhere."""

from typing import Any

import pytest

from cascurve.errors import ConfigError
from cascurve.formats.imported import Imported
from cascurve.stages import import_cascades

HOURS = 356232
"""From 1970 to 2010-08-22."""


def imported(tmp_path, text: str, window: list[Any], module: str = "forest", **options) -> Imported:
    """As the import's job makes it."""
    path = tmp_path / "c.txt"
    path.write_text(text)
    spec = {"module": module, "parameters": options, "cascades": {"all": str(path)}, "graph": None, "expected": {}}
    return import_cascades.run(spec | {"dataset": "mine", "seed": 1, "prepare": {"window": window}})


def begins(shift: float) -> str:
    return "".join(f"1,{shift + hour} 2,{shift + hour + 1}\n" for hour in (0, 24, 48))


def test_times_of_an_unknown_unit(tmp_path) -> None:
    """The message names key, value, what is known of the times, and both ways out; each of them works."""
    text, dates = begins(HOURS), ["2010-08-22", "2010-08-23"]
    with pytest.raises(ConfigError) as told:
        imported(tmp_path, text, dates)
    for words in (
        "'empirical.mine.prepare.window'",
        "found ['2010-08-22', '2010-08-23']",
        "the file's own unit, since that is not known",
        f"cascades begin from {HOURS} to {HOURS + 48}",
        "'options.unit'",
    ):
        assert words in str(told.value)
    assert len(imported(tmp_path, text, dates, unit="hours").cascades) == 1
    assert len(imported(tmp_path, text, [HOURS, HOURS + 24]).cascades) == 1
    with pytest.raises(ConfigError, match="own unit"):
        imported(tmp_path, text, [0, "2010-08-23"])


@pytest.mark.parametrize("shift", [0, -1000, 10 * HOURS])
def test_times_that_do_not_count_from_1970(tmp_path, shift) -> None:
    """Hours since the first post are hours, but no dates: a window from 1970 on would take all of them."""
    with pytest.raises(ConfigError, match=r"prepare\.window.*seconds, since the times do not seem to count from 1970"):
        imported(tmp_path, begins(shift), ["1970-01-01", "2010-08-23"], unit="hours")
    start = 3600 * shift
    assert len(imported(tmp_path, begins(shift), [start, start + 86400], unit="hours").cascades) == 1


def test_dates_in_the_file_are_known_whatever_their_year(tmp_path) -> None:
    text = "cascade,user,time\na,1,1893-01-01\na,2,1893-02-01\nb,1,1894-01-01\n"
    kept = imported(tmp_path, text, ["1893-01-01", "1893-01-31"], module="table")
    assert kept.labels.take(kept.cascades.users).to_pylist() == ["1"]


def test_cascades_without_times(tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"prepare\.window.*the cascades have no times"):
        imported(tmp_path, "cascade,user\na,1\na,2\n", ["2010-08-22", 9], module="table", time=None)


def test_the_end_is_not_in_the_window(tmp_path) -> None:
    kept = imported(tmp_path, "1,5 2,7 3,9\n1,7 2,8\n2,9 1,9\n", [5, 9])
    assert [len(cascade) for cascade in kept.cascades] == [2, 2], "what is at 9 is out, what begins at 5 is in"
    outside, cut = kept.account[-2:]
    assert (outside.cascades, outside.participations) == (-1, -2), "what begins at 9 is outside, not cut to nothing"
    assert (cut.cascades, cut.participations) == (0, -1)
