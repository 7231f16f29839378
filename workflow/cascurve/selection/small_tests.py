"""MSA on many small test sets of a classifier: the analysis of Huang and Ling (AAAI 2006), and its variants."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.agreement import Ties, msa, outcomes, right_picks, significant

Floats = NDArray[np.float64]
Truth = Literal["same", "half"]
Chosen = Literal["all", "significant"]

TIES: tuple[Ties, ...] = ("wrong", "half")
TRUTHS: tuple[Truth, ...] = ("same", "half")
PAIRS: tuple[Chosen, ...] = ("all", "significant")


class Variant(NamedTuple):
    """One way to count, and MSA by it.

    truth : "same" = the goal's mean over the very test sets that the measures see, as in the paper; "half" = over
        one half of the test sets, the measures seeing the other.
    ties : what a tie of the measure counts.
    pairs : all, or those whose gap by the goal is significant.
    ability : shape (goals, measures), the mean over repeats; NaN where no repeat has a pair.
    ability_se : its standard error from the spread over repeats.
    n_pairs : shape (goals,), pairs per repeat.
    """

    truth: Truth
    ties: Ties
    pairs: Chosen
    ability: Floats
    ability_se: Floats
    n_pairs: Floats


def small_tests(values: Floats, goals: Sequence[int], rng: np.random.Generator) -> Iterator[Variant]:
    """All variants.

    Parameters
    ----------
    values : shape (repeats, measures, models, tests), greater is better.
    goals : which of the measures are goals.
    rng : cuts the test sets in half.
    """
    n_tests = values.shape[3]
    order = rng.permutation(n_tests)
    cuts = {"same": (order, order), "half": (order[: n_tests // 2], order[n_tests // 2 :])}
    for truth, ties, chosen in product(TRUTHS, TIES, PAIRS):
        own, seen = cuts[truth]
        found, numbers = [], []
        for repeat in values:
            aims = repeat[list(goals)][:, :, own]
            clear = significant(aims, np.arange(len(own)))
            counted = clear if chosen == "significant" else np.ones_like(clear)
            right = right_picks(aims.mean(axis=2), *outcomes(repeat[:, :, seen]), ties=ties)
            found.append(msa(right, counted[:, None]))
            numbers.append(counted.sum(axis=1))
        yield Variant(truth, ties, chosen, *_mean(np.stack(found)), np.mean(numbers, axis=0))


def _mean(found: Floats) -> tuple[Floats, Floats]:
    """Mean over the known repeats and its standard error."""
    known = ~np.isnan(found)
    number = known.sum(axis=0)
    nothing = np.full(number.shape, np.nan)
    mean = np.divide(np.where(known, found, 0.0).sum(axis=0), number, out=nothing.copy(), where=number > 0)
    square = np.where(known, (found - mean) ** 2, 0.0).sum(axis=0)
    return mean, np.sqrt(np.divide(square, number * (number - 1), out=nothing, where=number > 1))
