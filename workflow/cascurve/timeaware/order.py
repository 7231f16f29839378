"""The order of models under uniform and under burst-aware weights, and how sure it is that they differ.

Entities are resampled, the same draw for both models of a pair and both weightings. So an interval says what other
sources of the *same* data would give; it says nothing about other data sets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cascurve.timeaware.cells import WEIGHTINGS

FEWEST_ENTITIES = 8
"""With fewer, no interval is given."""
LEVEL = 0.95
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """Two models: the difference of their values (first less second) under both weightings.

    Attributes
    ----------
    difference, low, high : weighting -> mean over entities, and simultaneous limits (NaN with too few entities).
    change : mean of the burst-aware less the uniform difference; `change_low`, `change_high` its limits.
    """

    a: str
    b: str
    entities: int
    difference: Mapping[str, float]
    low: Mapping[str, float]
    high: Mapping[str, float]
    change: float
    change_low: float
    change_high: float

    @property
    def turned(self) -> bool:
        """Whether the sign of the difference is not the same under both weightings."""
        one, two = (self.difference[weighting] for weighting in WEIGHTINGS)
        return bool(one * two < 0)

    @property
    def verdict(self) -> str:
        """ "reversed" (established in both directions), "changed" (the difference is), "same", or "unknown"."""
        if np.isnan(self.change_low):
            return "unknown"
        signs = [1 if self.low[name] > 0 else -1 if self.high[name] < 0 else 0 for name in WEIGHTINGS]
        if signs[0] * signs[1] < 0:
            return "reversed"
        return "changed" if self.change_low > 0 or self.change_high < 0 else "same"


def compare(
    values: Mapping[str, tuple[Floats, Floats]], *, rng: np.random.Generator, resamples: int = 1000
) -> list[Pair]:
    """All pairs of models.

    Parameters
    ----------
    values : model -> (uniform, burst-aware) values, each of shape (entities,), NaN for an entity without a slice.

    Notes
    -----
    Limits hold for all pairs and the three differences of each at once: the largest standardised deviation over the
    resamples of entities (max-t) has the given quantile.
    """
    pairs = list(combinations(values, 2))
    if not pairs:
        return []
    rows = np.stack([row for a, b in pairs for row in _differences(values[a], values[b])])  # shape (3 pairs, entities)
    rows = rows[:, ~np.isnan(rows).any(axis=0)]
    n = rows.shape[1]
    mean = rows.mean(axis=1) if n else np.full(len(rows), np.nan)
    reach = _reach(rows, mean, rng, resamples) if n >= FEWEST_ENTITIES else np.full(len(rows), np.nan)
    found = []
    for place, (a, b) in enumerate(pairs):
        at = slice(3 * place, 3 * place + 3)
        m, low, high = (limits[at].tolist() for limits in (mean, mean - reach, mean + reach))
        by_name = [dict(zip(WEIGHTINGS, limits[:2], strict=True)) for limits in (m, low, high)]
        found.append(Pair(a, b, n, by_name[0], by_name[1], by_name[2], m[2], low[2], high[2]))
    return found


def kendall(one: Sequence[float], two: Sequence[float]) -> float:
    """Kendall's tau-a between two lists of values of the same models; NaN for fewer than two."""
    pairs = list(combinations(range(len(one)), 2))
    agree = [np.sign(one[i] - one[j]) * np.sign(two[i] - two[j]) for i, j in pairs]
    return float(np.mean(agree)) if agree else np.nan


def _differences(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> list[Floats]:
    uniform, weighted = a[0] - b[0], a[1] - b[1]
    return [uniform, weighted, weighted - uniform]


def _reach(rows: Floats, mean: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    n = rows.shape[1]
    draws = rng.multinomial(n, np.full(n, 1 / n), resamples) / n
    means = draws @ rows.T
    spread = means.std(axis=0)
    deviation = np.abs(means - mean) / np.where(spread > 0, spread, 1.0)
    reach: Floats = np.quantile(deviation.max(axis=1), LEVEL) * spread
    return reach
