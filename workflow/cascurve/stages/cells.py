"""What every stage with several cells in one job does: go on when one of them fails, and say how far it is."""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from cascurve.errors import CellError

Result = TypeVar("Result")


def each_length(lengths: Iterable[int], make: Callable[[int], Result]) -> tuple[dict[int, Result], dict[int, str]]:
    """Results of `make` by length, and by length why there is none.

    Only a `CellError` is a cell's own failure; any other error ends the job.
    """
    made: dict[int, Result] = {}
    failed: dict[int, str] = {}
    wanted = list(lengths)
    for position, length in enumerate(wanted, start=1):
        try:
            made[length] = make(length)
        except CellError as error:
            failed[length] = str(error)
        outcome = failed.get(length, "done")
        print(f"length {length} ({position} of {len(wanted)}): {outcome}", file=sys.stderr, flush=True)
    return made, failed
