"""The mean log-ratio of two models over some cells, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from scipy.special import ndtri


@dataclass(frozen=True)
class Contrast:
    """Mean log(MAP_A / MAP_B) over some cells, with its simultaneous interval (None where none can be given)."""

    mean: float | None
    low: float | None
    high: float | None
    n_cells: int
    n_networks: int

    @property
    def verdict(self) -> str:
        """ "above", "below", "undecided", "too few networks" or "no cells": where A stands to B."""
        if self.mean is None:
            return "no cells"
        if self.low is None or self.high is None:
            return "too few networks"
        return "above" if self.low > 0 else "below" if self.high < 0 else "undecided"

    def turned(self) -> "Contrast":
        """The same contrast for (B, A)."""
        mean, low, high = (None if value is None else -value for value in (self.mean, self.high, self.low))
        return replace(self, mean=mean, low=low, high=high)


def same_data(
    paired: pa.Table | None, group: str, pairs: Sequence[tuple[str, str]], means: Sequence[Contrast], level: float
) -> list[Contrast | None]:
    """The contrasts of one real data set, with intervals from its test cascades, simultaneous over pairs (Bonferroni).

    The cells of a data set share cascades to an unknown degree, so their errors are added as if they went together: the
    interval is never too narrow for that.

    Parameters
    ----------
    paired : kind "paired".
    means : each pair's mean over all cells, with any interval.
    """
    errors: dict[tuple[str, str], list[float]] = {}
    for row in paired.to_pylist() if paired is not None else ():
        if row["group"] == group and row["log_ratio_se"] is not None:
            errors.setdefault((row["a"], row["b"]), []).append(row["log_ratio_se"])
    reach = float(ndtri(1 - (1 - level) / 2 / max(len(pairs), 1)))
    found: list[Contrast | None] = []
    for (a, b), overall in zip(pairs, means, strict=True):
        known = errors.get((a, b)) or errors.get((b, a))
        if not known or overall.mean is None:
            found.append(None)
            continue
        half = reach * float(np.mean(known))
        found.append(replace(overall, low=overall.mean - half, high=overall.mean + half))
    return found
