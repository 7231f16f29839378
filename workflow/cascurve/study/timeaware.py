"""The part of a study that looks at models over time: the key `timeaware`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cascurve.storage import parse_partition
from cascurve.timeaware.slices import slicing


@dataclass(frozen=True)
class TimeAware:
    """How a study slices time; field names are the configuration's keys."""

    slices: tuple[int | str, ...]
    entity: str
    clock: str


def read(raw: Mapping[str, Any]) -> TimeAware:
    """Check the key and return it; raises `ConfigError` for a width that is none."""
    for place, asked in enumerate(raw["slices"]):
        if isinstance(asked, str):
            slicing(asked, 0.0, 1.0, f"timeaware.slices[{place}]")
    return TimeAware(tuple(raw["slices"]), raw["entity"], raw["clock"])


def group_of(data: str) -> str:
    """What data (Hive path) are shown together: the data set's name, or topology and mechanism."""
    place = parse_partition(data)
    return place["dataset"] if "dataset" in place else f"{place['topology']}-{place['mechanism']}"
