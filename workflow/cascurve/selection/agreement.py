"""How reliably a measure picks the better of two models: Huang and Ling's model selection ability, MSA.

Model i is better than model j when its expected score by the goal is greater. A measure sees both on one small test
set and picks the one that scores higher there; p_ij is the share of test sets on which it picks the better one, and
MSA is the mean of p_ij over all pairs (AAAI 2006). The paper leaves ties of the measure open: here they count as
``wrong``, or as ``half`` a right pick, which is what tossing a coin gives.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

Ties = Literal["wrong", "half"]
Floats = NDArray[np.float64]

ROUNDING = 1e-12
"""Means that differ by less are ties: the same values, added up in another order."""


def pairs(n_models: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs i < j."""
    return np.triu_indices(n_models, 1)


def outcomes(seen: Floats) -> tuple[Floats, Floats]:
    """How often the first model of each pair scores higher, and how often both score alike.

    Parameters
    ----------
    seen : shape (measures, models, tests); greater is better; NaN = the measure has no value.

    Returns
    -------
    won, tied : shape (measures, pairs), shares of the tests where both have a value; NaN where there is none.
    """
    i, j = pairs(seen.shape[1])
    difference = seen[:, i] - seen[:, j]
    known = np.sum(~np.isnan(difference), axis=2)
    tied = np.sum(np.abs(difference) < ROUNDING, axis=2)
    won = np.sum(difference >= ROUNDING, axis=2)
    nothing = np.full(known.shape, np.nan)
    return np.divide(won, known, out=nothing.copy(), where=known > 0), np.divide(
        tied, known, out=nothing, where=known > 0
    )


def right_picks(truth: Floats, won: Floats, tied: Floats, *, ties: Ties) -> Floats:
    """p_ij for every goal and measure.

    Parameters
    ----------
    truth : shape (goals, models); greater is better.
    won, tied : from `outcomes`.

    Returns
    -------
    Shape (goals, measures, pairs); NaN where neither model is better by the goal, or the measure has no value.
    """
    i, j = pairs(truth.shape[1])
    gap = (truth[:, i] - truth[:, j])[:, None]
    right = np.where(gap > 0, won[None], 1.0 - won[None] - tied[None])
    right = right + (0.5 * tied[None] if ties == "half" else 0.0)
    return np.where(np.abs(gap) >= ROUNDING, right, np.nan)


def msa(right: Floats, chosen: NDArray[np.bool_] | None = None) -> Floats:
    """Mean of p_ij over the pairs that have one; NaN where none has.

    Parameters
    ----------
    right : shape (..., pairs).
    chosen : broadcasts to `right`; only these pairs count.
    """
    counted = ~np.isnan(right) if chosen is None else ~np.isnan(right) & chosen
    total = np.where(counted, right, 0.0).sum(axis=-1)
    number = counted.sum(axis=-1)
    return np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)


def significant(values: Floats, clusters: NDArray[np.int64], *, level: float = 0.05) -> NDArray[np.bool_]:
    """Which pairs of models differ by a goal beyond chance: a paired t-test over clusters; shape (goals, pairs).

    Parameters
    ----------
    values : shape (goals, models, n): the goal on each of n cascades (or test sets).
    clusters : shape (n,), codes 0, 1, …: cascades of one source share its ranking and are not independent.
    level : of the two-sided test.
    """
    i, j = pairs(values.shape[1])
    n, n_clusters = len(clusters), int(clusters.max(initial=-1)) + 1
    if n_clusters < 2:
        return np.zeros((len(values), len(i)), bool)
    member = np.zeros((n, n_clusters))
    member[np.arange(n), clusters] = 1.0
    sums = values @ member
    total = sums[:, i] - sums[:, j]
    mean = total.sum(axis=-1) / n
    deviation = total - mean[..., None] * member.sum(axis=0)
    error = np.sqrt(n_clusters / (n_clusters - 1) * np.sum(deviation**2, axis=-1)) / n
    differs = np.abs(mean) > ROUNDING
    t = np.divide(np.abs(mean), error, out=np.full(mean.shape, np.inf), where=error > ROUNDING)
    return differs & (2 * stdtr(n_clusters - 1, -t) < level)
