"""Average precision, eq. 1 of the paper, and its relatives that other tools call by the same name."""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.cuts import Cut, cut_name, cuts
from cascurve.metrics.hypergeometric import hypergeometric
from cascurve.metrics.relevant_ranks import RelevantRanks

Denominator = Literal["truth", "min", "hits"]


def column(*, k: Cut = None, denominator: Denominator = "truth") -> str:
    """Name of the output column."""
    return f"ap{cut_name(k)}" + ("" if k is None and denominator == "truth" else f"[{denominator}]")


def score(ranks: RelevantRanks, *, k: Cut = None, denominator: Denominator = "truth") -> NDArray[np.float64]:
    """Precision at the rank of each recipient found, summed and divided; the expectation over the order of ties.

    Parameters
    ----------
    k : ranks kept: a number, ``"R"`` = as many as there are recipients, None = all. Recipients beyond add 0.
    denominator : ``"truth"`` = all recipients (eq. 1), ``"min"`` = min(k, recipients), ``"hits"`` = recipients
        among the ranks kept (0 where there is none).

    Returns
    -------
    float64, shape (m,), in [0, 1]; NaN where a cascade has no recipient.
    """
    kept = cuts(ranks, k)
    harmonic = np.zeros(1)
    if ranks.has_ties():
        longest = int(np.max(ranks.above + ranks.size))
        harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, longest + 1))])
    if denominator == "hits":
        return _per_hit(
            ranks.n_relevant,
            ranks.offsets,
            ranks.above,
            ranks.relevant_above,
            ranks.size,
            ranks.relevant,
            kept,
            harmonic,
        )
    total = _sum(ranks.offsets, ranks.above, ranks.relevant_above, ranks.size, ranks.relevant, kept, harmonic)
    divisor = np.minimum(kept, ranks.n_relevant) if denominator == "min" else ranks.n_relevant
    return np.divide(total, divisor, out=np.full(len(ranks), np.nan), where=ranks.n_relevant > 0)


@njit(cache=True, error_model="numpy")
def _sum(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    relevant_above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
    harmonic: NDArray[np.float64],
) -> NDArray[np.float64]:
    total = np.zeros(len(offsets) - 1)
    for cascade in range(len(total)):
        summed = 0.0
        for g in range(np.uint64(offsets[cascade]), np.uint64(offsets[cascade + 1])):
            if above[g] >= kept[cascade]:
                break
            if size[g] == 1:
                summed += (relevant_above[g] + 1) / (above[g] + 1)
            else:
                places = min(size[g], kept[cascade] - above[g])
                summed += _group(above[g], relevant_above[g], size[g], relevant[g], places, harmonic)
        total[cascade] = summed
    return total


@njit(cache=True)
def _group(above: int, hits: int, size: int, relevant: int, places: int, harmonic: NDArray[np.float64]) -> float:
    """Expected precision summed over the recipients in the first `places` places of a group.

    Place j holds a recipient with probability relevant / size, and then expects (j - 1) · share of the group's
    other recipients before it; precision there is (hits + 1 + (j - 1) · share) / (above + j).
    """
    if size == 1:
        return (hits + 1) / (above + 1)
    share = (relevant - 1) / (size - 1)
    rest = hits + 1 - share * (above + 1)
    return relevant / size * (places * share + rest * (harmonic[above + places] - harmonic[above]))


@njit(cache=True)
def _per_hit(
    n_relevant: NDArray[np.int64],
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    relevant_above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
    harmonic: NDArray[np.float64],
) -> NDArray[np.float64]:
    """As `_sum`, over the number of hits, which is random where the cut falls inside a group of ties."""
    mean = np.full(len(n_relevant), np.nan)
    for cascade in range(len(mean)):
        if n_relevant[cascade] == 0:
            continue
        total, hits, mixed = 0.0, 0, -1
        for g in range(offsets[cascade], offsets[cascade + 1]):
            places = min(size[g], kept[cascade] - above[g])
            if places <= 0:
                break
            if places < size[g]:
                mixed = g
                break
            total += _group(above[g], relevant_above[g], size[g], relevant[g], places, harmonic)
            hits += relevant[g]
        if mixed < 0:
            mean[cascade] = total / hits if hits else 0.0
            continue
        a, t, r = above[mixed], size[mixed], relevant[mixed]
        places = kept[cascade] - a
        fewest, chances = hypergeometric(t, r, kept[cascade] - a)
        mean[cascade] = 0.0
        for draw in range(len(chances)):
            found = fewest + draw
            if hits + found:
                inside = _group(a, hits, kept[cascade] - a, found, kept[cascade] - a, harmonic) if found else 0.0
                mean[cascade] += chances[draw] * (total + inside) / (hits + found)
    return mean
