"""From one value per recommended link to one value with its standard error: global, or per user first."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.novelty.recommendations import Recommendations

Average = Literal["links", "users"]
"""Over all recommended links at once (RELISON), or over each list first and then over the lists."""


@dataclass(frozen=True)
class Value:
    """A metric's value, and its standard error over the lists; NaN where it has none."""

    value: float
    error: float = float("nan")


UNKNOWN = Value(float("nan"))
"""Of a metric that looks at what the task does not know."""


def mean_over_links(
    values: NDArray[np.float64], lists: Recommendations, k: int | None, average: Average = "links"
) -> Value:
    """Mean of one value per link over the first k ranks of every list.

    Parameters
    ----------
    values : shape (links,); NaN links are left out.
    average : "links": long lists weigh more; "users": every list that has a value weighs the same.

    No link with a value: 0, as in RELISON.
    """
    known = ~np.isnan(values)
    sums = lists.totals(np.where(known, values, 0.0), k)
    return ratio(sums, lists.totals(known.astype(np.float64), k), average)


def ratio(sums: NDArray[np.float64], counts: NDArray[np.float64], average: Average = "links") -> Value:
    """Σ sums / Σ counts, or the mean of sums / counts over the lists that count; 0 where nothing counts.

    The standard error takes the lists as independent (for "links" that of a ratio of sums).
    """
    has = counts > 0
    x, n = sums[has], counts[has]
    if not len(n):
        return Value(0.0)
    if average == "users":
        x, n = x / n, np.ones(len(n))
    mean = float(x.sum() / n.sum())
    if len(n) < 2 or not np.isfinite(mean):
        return Value(mean)
    return Value(mean, float(np.sqrt(len(n) / (len(n) - 1) * np.sum((x - mean * n) ** 2)) / n.sum()))
