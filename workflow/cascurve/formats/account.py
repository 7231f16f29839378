"""The account of an import: what was read, what each step removed, and so what is kept."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


@dataclass(frozen=True)
class Step:
    """One row of the account; the counts are changes, so that they add up to what is kept.

    Attributes
    ----------
    step : what was done.
    cascades, participations : change in their number.
    users : change in the number of users who take part in a cascade.
    links : change in the number of directed links.
    note : what a reader of the account should know.
    warning : whether the note is a warning, to be told outside of the account too.
    """

    step: str
    cascades: int = 0
    users: int = 0
    participations: int = 0
    links: int = 0
    note: str = ""
    warning: bool = False


def total(steps: Iterable[Step]) -> Step:
    """What is left after all steps."""
    rows = list(steps)
    counts = {
        name: sum(getattr(row, name) for row in rows) for name in ("cascades", "users", "participations", "links")
    }
    return Step("kept", **counts)


def removal(step: str, before: NDArray[np.int32], keep: NDArray[np.bool_], cascades: int, note: str = "") -> Step:
    """The row for a step that takes participations out.

    Parameters
    ----------
    before : users of all participations before the step.
    keep : which of them stay, same shape.
    cascades : how many cascades the step removes.
    """
    gone = np.zeros(int(before.max(initial=0)) + 1, np.bool_)
    gone[before[~keep]] = True
    gone[before[keep]] = False
    return Step(step, -cascades, -int(np.count_nonzero(gone)), -int(np.count_nonzero(~keep)), note=note)


def to_table(steps: Iterable[Step]) -> pa.Table:
    """One row per step, the columns of `Step`."""
    rows = list(steps)
    types = {"step": pa.string(), "note": pa.string(), "warning": pa.bool_()}
    return pa.table(
        {f.name: pa.array([getattr(row, f.name) for row in rows], types.get(f.name, pa.int64())) for f in fields(Step)}
    )


def warnings(steps: Iterable[Step]) -> tuple[str, ...]:
    """The notes that are warnings."""
    return tuple(row.note for row in steps if row.warning)


def from_table(table: pa.Table) -> tuple[Step, ...]:
    """Inverse of `to_table`."""
    return tuple(Step(**row) for row in table.to_pylist())
