"""The part of a study that looks at models over time: the key `timeaware`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cascurve.errors import ConfigError
from cascurve.storage import parse_partition
from cascurve.timeaware.slices import FITTING, OWN, width_of


@dataclass(frozen=True)
class TimeAware:
    """How a study slices time; field names are the configuration's keys."""

    slices: tuple[int | str, ...]
    entity: str
    clock: str
    data: str

    def covers(self, data: str) -> bool:
        """Whether it looks at these data (Hive path)."""
        return self.data == "all" or "dataset" in parse_partition(data)


def read(raw: Mapping[str, Any], has_real_data: bool) -> TimeAware | None:
    """Check the key and return it; None where the study has none of the data.

    Raises `ConfigError` for a width that is none.
    """
    for place, asked in enumerate(raw["slices"]):
        where = f"timeaware.slices[{place}]"
        if isinstance(asked, str) and asked not in ("all", FITTING):
            width_of(asked, where, f"{FITTING}, a number of windows, ")
            if not asked[-1].isalpha():
                wide = f"{asked}{OWN} for windows that are {asked} units of the times wide"
                raise ConfigError(where, asked, f"a number without quotes for that many windows, or {wide}")
    if raw["data"] == "real" and not has_real_data:
        return None
    return TimeAware(tuple(raw["slices"]), raw["entity"], raw["clock"], raw["data"])


def group_of(data: str) -> str:
    """What data (Hive path) are shown together: the data set's name, or topology and mechanism."""
    place = parse_partition(data)
    return place["dataset"] if "dataset" in place else f"{place['topology']}-{place['mechanism']}"
