"""MSA on one set of cascades: by which measure to choose a model when only m cascades are there to choose by."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.agreement import Ties, msa, outcomes, right_picks, significant
from cascurve.selection.halves import draw_sets, halves

Floats = NDArray[np.float64]


class Ability(NamedTuple):
    """MSA by size of the test sets, goal and measure; all but the last two of shape (sizes, goals, measures).

    ability : mean over the repeats, all pairs.
    ability_se : its standard error; cascades are resampled.
    gain : `ability` less that of the goal itself on the same pairs, and `gain_se`.
    clear : as `ability`, only pairs whose gap by the goal is significant; NaN where no repeat has such a pair.
    n_pairs : pairs that the measure has a value for, mean over repeats.
    n_clear : shape (goals,): pairs with a significant gap, mean over repeats.
    best : shape (goals, models): how often each model is the best by the goal, over the repeats.
    """

    ability: Floats
    ability_se: Floats
    gain: Floats
    gain_se: Floats
    clear: Floats
    n_pairs: Floats
    n_clear: Floats
    best: Floats


def few_cascades(
    values: Floats,
    goals: Sequence[int],
    clusters: NDArray[np.int64],
    *,
    sizes: Sequence[int],
    tests: int,
    repeats: int,
    ties: Ties,
    rng: np.random.Generator,
) -> Ability:
    """The truth from one half of the cascades, test sets from the other; over several cuts in half.

    Parameters
    ----------
    values : shape (measures, models, cascades), greater is better; NaN = the measure has no value.
    goals : which of the measures are goals.
    clusters : shape (cascades,): codes of their sources.
    sizes : cascades per test set, m. Sizes that half the cascades cannot fill have no value (NaN).
    tests : test sets per repeat and size.

    Notes
    -----
    For the standard errors each cut is made a second time and the cascades of each half are drawn anew with
    replacement, whole sources at a time. The spread of these values holds that of a single cut too, so it is a little
    larger than the error of the mean over cuts.
    """
    runs = [_run(values, goals, clusters, sizes, tests, ties, rng, resampled=False) for _ in range(repeats)]
    drawn = [_run(values, goals, clusters, sizes, tests, ties, rng, resampled=True) for _ in range(repeats)]
    plain = np.stack([run.ability for run in runs])
    gains = np.stack([run.gain for run in runs])
    return Ability(
        ability=plain.mean(axis=0),
        ability_se=_spread([run.ability for run in drawn]),
        gain=gains.mean(axis=0),
        gain_se=_spread([run.gain for run in drawn]),
        clear=_known_mean(np.stack([run.clear for run in runs])),
        n_pairs=np.stack([run.n_pairs for run in runs]).mean(axis=0),
        n_clear=np.stack([run.n_clear for run in runs]).mean(axis=0),
        best=np.stack([run.best for run in runs]).mean(axis=0),
    )


class _Run(NamedTuple):
    ability: Floats
    gain: Floats
    clear: Floats
    n_pairs: Floats
    n_clear: Floats
    best: Floats


def _run(
    values: Floats,
    goals: Sequence[int],
    clusters: NDArray[np.int64],
    sizes: Sequence[int],
    tests: int,
    ties: Ties,
    rng: np.random.Generator,
    *,
    resampled: bool,
) -> _Run:
    own, pool = halves(values.shape[2], rng)
    if resampled:
        own, pool = _whole_clusters(own, clusters, rng), _whole_clusters(pool, clusters, rng)
    aims = values[list(goals)]
    truth = aims[:, :, own].mean(axis=2)
    clear = significant(aims[:, :, own], np.unique(clusters[own], return_inverse=True)[1])[:, None]
    by_cascade = np.ascontiguousarray(values.transpose(2, 0, 1))
    shape = (len(sizes), len(goals), len(values))
    ability, gain, sure, number = (np.full(shape, np.nan) for _ in range(4))
    for place, size in enumerate(sizes):
        if size > len(pool):
            continue
        seen = by_cascade[draw_sets(pool, size, tests, rng)].mean(axis=1).transpose(1, 2, 0)
        right = right_picks(truth, *outcomes(seen), ties=ties)
        ability[place], sure[place] = msa(right), msa(right, clear)
        number[place] = np.sum(~np.isnan(right), axis=2)
        for row, goal in enumerate(goals):
            same = ~np.isnan(right[row])
            gain[place, row] = ability[place, row] - msa(np.broadcast_to(right[row, goal], same.shape), same)
    best = np.zeros(truth.shape)
    best[np.arange(len(goals)), truth.argmax(axis=1)] = 1.0
    return _Run(ability, gain, sure, number, clear[:, 0].sum(axis=1).astype(np.float64), best)


def _whole_clusters(
    chosen: NDArray[np.int64], clusters: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """As many clusters as the chosen cascades have, drawn with replacement, with all of their chosen cascades."""
    codes = clusters[chosen]
    by_cluster = np.split(chosen[np.argsort(codes, kind="stable")], np.flatnonzero(np.diff(np.sort(codes))) + 1)
    return np.concatenate([by_cluster[k] for k in rng.integers(len(by_cluster), size=len(by_cluster))])


def _spread(draws: list[Floats]) -> Floats:
    stacked = np.stack(draws)
    return stacked.std(axis=0, ddof=1) if len(draws) > 1 else np.full(stacked.shape[1:], np.nan)


def _known_mean(stacked: Floats) -> Floats:
    known = ~np.isnan(stacked)
    number = known.sum(axis=0)
    total = np.where(known, stacked, 0.0).sum(axis=0)
    return np.divide(total, number, out=np.full(number.shape, np.nan), where=number > 0)
