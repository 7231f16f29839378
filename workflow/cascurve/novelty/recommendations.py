"""`Recommendations`: ranked lists of users, each made for one target user."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError, DataError


@dataclass(frozen=True)
class Recommendations:
    """Lists of recommended users in flat arrays; a recommended link is a pair (target, candidate).

    Attributes
    ----------
    targets : int32, shape (lists,). Whom each list is made for; a target may have several lists.
    offsets : int64, shape (lists + 1,). List i is ``candidates[offsets[i]:offsets[i + 1]]``, best first, never empty.
    candidates : int32, shape (links,).

    Raises
    ------
    DataError : a list is empty, or the offsets do not fit.
    """

    targets: NDArray[np.int32]
    offsets: NDArray[np.int64]
    candidates: NDArray[np.int32]

    def __post_init__(self) -> None:
        lengths = np.diff(self.offsets)
        if len(lengths) != len(self.targets) or self.offsets[0] != 0 or self.offsets[-1] != len(self.candidates):
            raise DataError(
                f"expected offsets from 0 to {len(self.candidates)} for {len(self.targets)} lists, "
                f"found {len(self.offsets)} that end at {self.offsets[-1]}"
            )
        if (lengths < 1).any():
            raise DataError(f"list {int(np.argmax(lengths < 1))} is empty; leave it out")

    @classmethod
    def of(cls, lists: Iterable[tuple[int, Sequence[int]]]) -> "Recommendations":
        """From pairs (target, candidates); empty lists are left out."""
        kept = [(target, candidates) for target, candidates in lists if len(candidates)]
        sizes = [len(candidates) for _, candidates in kept]
        return cls(
            np.array([target for target, _ in kept], np.int32),
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            np.array([user for _, candidates in kept for user in candidates], np.int32),
        )

    @classmethod
    def of_links(cls, targets: NDArray[np.int32], candidates: NDArray[np.int32]) -> "Recommendations":
        """From links in the order of their ranks; the links of a target make its one list, wherever they stand."""
        order = np.argsort(targets, kind="stable")
        names, counts = np.unique(targets, return_counts=True)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(names.astype(np.int32), offsets, np.ascontiguousarray(candidates[order], np.int32))

    @classmethod
    def join(cls, parts: Sequence["Recommendations"]) -> "Recommendations":
        """All lists of several, in order."""
        starts = np.cumsum([0, *(len(part.candidates) for part in parts)])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
        return cls(
            np.concatenate([np.empty(0, np.int32), *(part.targets for part in parts)]),
            np.concatenate([*offsets, starts[-1:]]).astype(np.int64),
            np.concatenate([np.empty(0, np.int32), *(part.candidates for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.targets)

    @cached_property
    def list_of(self) -> NDArray[np.int64]:
        """List of each link, shape (links,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Rank of each link in its list, from 1; shape (links,)."""
        return np.arange(1, len(self.candidates) + 1) - self.offsets[self.list_of]

    def within(self, k: int | None) -> NDArray[np.bool_]:
        """Whether each link stands among the first k of its list (None: all do); shape (links,)."""
        if k is not None and (not isinstance(k, int) or k < 1):
            raise ConfigError("cutoff", k, "a whole number of ranks >= 1, or null for whole lists")
        return self.ranks <= k if k is not None else np.ones(len(self.candidates), bool)

    def totals(self, values: NDArray[np.float64], k: int | None) -> NDArray[np.float64]:
        """Sum of one value per link over the first k of each list; shape (lists,)."""
        kept = self.within(k)
        sums: NDArray[np.float64] = np.bincount(self.list_of[kept], values[kept], minlength=len(self)).astype(
            np.float64
        )
        return sums
