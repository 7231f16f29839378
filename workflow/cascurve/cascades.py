"""`CascadeSet`: a set of cascades, the one form in which cascades travel.

A cascade is the sequence of users reached by one message, the source first, ordered by time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import ArrayLike, NDArray

from cascurve.errors import DataError
from cascurve.storage import read_table, values_of, write_table


@dataclass(frozen=True)
class CascadeSet:
    """Cascades over users 0 … n_users - 1, in one flat array.

    Attributes
    ----------
    n_users : size of the user population, >= 1; users need not all appear.
    offsets : int64, shape (m + 1,). Cascade i is ``users[offsets[i]:offsets[i + 1]]``.
    users : int32, shape (total,). The source stands first in each cascade; no user twice in a cascade.
    times : float64, shape (total,), or None. Never decreasing within a cascade.

    Raises
    ------
    DataError : when any of the above does not hold; the message names the cascade.
    """

    n_users: int
    offsets: NDArray[np.int64]
    users: NDArray[np.int32]
    times: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", _frozen(self.offsets, np.int64))
        object.__setattr__(self, "users", _frozen(self.users, np.int32))
        if self.times is not None:
            object.__setattr__(self, "times", _frozen(self.times, np.float64))
        _check_shape(self)
        times = np.empty(0) if self.times is None else self.times
        fault, cascade, position = _first_fault(self.n_users, self.offsets, self.users, times)
        if fault:
            raise DataError(_describe(self, fault, cascade, position))

    @classmethod
    def of(
        cls,
        cascades: Iterable[Sequence[int]],
        n_users: int | None = None,
        times: Iterable[Sequence[float]] | None = None,
    ) -> "CascadeSet":
        """From sequences of user ids; `n_users` defaults to the largest id + 1."""
        lists = [np.asarray(cascade, dtype=np.int32) for cascade in cascades]
        users = np.concatenate([np.empty(0, np.int32), *lists])
        offsets = np.concatenate([[0], np.cumsum([len(cascade) for cascade in lists], dtype=np.int64)])
        flat = None if times is None else np.concatenate([np.empty(0), *(np.asarray(t, float) for t in times)])
        size = int(users.max(initial=0)) + 1 if n_users is None else n_users
        return cls(size, offsets.astype(np.int64), users, flat)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[NDArray[np.int32]]:
        """The cascades' users, one array per cascade."""
        return (self.users[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Users per cascade, the source included; shape (m,)."""
        return np.diff(self.offsets)

    @property
    def sources(self) -> NDArray[np.int32]:
        """First user of each cascade; shape (m,)."""
        return self.users[self.offsets[:-1]]

    def take(self, cascades: ArrayLike) -> "CascadeSet":
        """The cascades with the given indices, or where a boolean mask is true, in that order."""
        chosen = np.asarray(cascades)
        index = np.flatnonzero(chosen) if chosen.dtype == bool else chosen.astype(np.int64)
        lengths = self.lengths[index]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        entries = np.repeat(self.offsets[index] - offsets[:-1], lengths) + np.arange(offsets[-1])
        times = None if self.times is None else self.times[entries]
        return CascadeSet(self.n_users, offsets, self.users[entries], times)

    def to_table(self) -> pa.Table:
        """Arrow table: one row per cascade; columns ``users`` (list<int32>), ``times`` (list<float64>) if known."""
        offsets = pa.array(self.offsets.astype(np.int32))
        columns = {"users": pa.ListArray.from_arrays(offsets, pa.array(self.users))}
        if self.times is not None:
            columns["times"] = pa.ListArray.from_arrays(offsets, pa.array(self.times))
        return pa.table(columns)

    @classmethod
    def from_table(cls, table: pa.Table, n_users: int) -> "CascadeSet":
        """Inverse of `to_table`; other columns are ignored."""
        users = table.column("users").combine_chunks()
        offsets = np.asarray(users.offsets, dtype=np.int64)
        times = values_of(table.column("times").combine_chunks()) if "times" in table.column_names else None
        return cls(n_users, offsets - offsets[0], values_of(users), times)

    def write(self, path: str | Path, provenance: str = "{}") -> None:
        """Write one set to Parquet; several sets of one job go through `DataSet`."""
        write_table(self.to_table(), path, "cascades", provenance=provenance, n_users=self.n_users)

    @classmethod
    def read(cls, path: str | Path) -> "CascadeSet":
        """Read a file made by `write`."""
        table, header = read_table(path, "cascades")
        try:
            return cls.from_table(table, int(header["n_users"]))
        except (DataError, KeyError, ValueError, TypeError, AttributeError, pa.ArrowException) as error:
            # what no checksum covers: the heads of pages, and the types and metadata at the end of the file
            raise DataError(f"not whole cascades ({error})", file=path, remedy="delete it and rerun") from None


LARGEST = np.finfo(np.float64).max

FAULTS = {1: "user out of range", 2: "user twice", 3: "time decreases", 4: "time is not a finite number"}


@njit(cache=True)
def _first_fault(
    n_users: int, offsets: NDArray[np.int64], users: NDArray[np.int32], times: NDArray[np.float64]
) -> tuple[int, int, int]:
    """(fault, cascade, position in cascade) of the first breach, or (0, 0, 0); O(total + n_users)."""
    last_seen = np.zeros(n_users, np.int64)
    for cascade in range(len(offsets) - 1):
        before = -LARGEST
        for entry in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            user = np.uint32(users[entry])  # a negative one is a very large one
            fault = 0
            if user >= n_users:
                fault = 1
            elif last_seen[user] > cascade:
                fault = 2
            elif len(times):
                if not before <= times[entry] <= LARGEST:
                    fault = 3 if np.isfinite(times[entry]) else 4
                before = times[entry]
            if fault:
                return fault, cascade, np.int64(entry) - offsets[cascade]
            last_seen[user] = cascade + 1
    return 0, 0, 0


def _check_shape(cascades: CascadeSet) -> None:
    offsets, total = cascades.offsets, len(cascades.users)
    if cascades.n_users < 1:
        raise DataError(f"expected n_users >= 1, found {cascades.n_users}")
    if offsets.ndim != 1 or len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != total:
        raise DataError(f"offsets must run from 0 to the number of entries ({total}), found {offsets!r}")
    if np.any(np.diff(offsets) < 1):
        empty = int(np.argmax(np.diff(offsets) < 1))
        raise DataError(f"cascade {empty} is empty; a cascade has at least its source")
    if cascades.times is not None and len(cascades.times) != total:
        raise DataError(f"expected one time per user ({total}), found {len(cascades.times)}")


def _describe(cascades: CascadeSet, fault: int, cascade: int, position: int) -> str:
    entry = int(cascades.offsets[cascade]) + position
    found = f"user {cascades.users[entry]}"
    if fault == 1:
        found += f", ids run from 0 to {cascades.n_users - 1}"
    elif fault >= 3 and cascades.times is not None:
        found = f"time {cascades.times[entry]!r}"
    return f"{FAULTS[fault]} in cascade {cascade}, position {position} ({found})"


def _frozen(values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """A read-only array of the dtype; raises where a conversion would change a value."""
    given = np.asarray(values)
    array: NDArray[Any] = np.ascontiguousarray(given, dtype=dtype)
    if array.dtype != given.dtype and not np.array_equal(array, given, equal_nan=given.dtype.kind == "f"):
        raise DataError(f"values do not fit {np.dtype(dtype).name}")
    view = array.view()
    view.flags.writeable = False
    return view
