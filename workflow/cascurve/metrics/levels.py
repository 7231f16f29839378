"""Floor and ceiling of measures by name: what a random and a perfect ranking of the same candidates score."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cascurve import plugins, seeding
from cascurve.metrics import chance, normalised
from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.metrics.scoring import Measures, score_ranks

DRAWS = 200
"""Random rankings behind a chance level that has no closed form."""


@dataclass(frozen=True)
class Levels:
    """What one measure's values stand between.

    Attributes
    ----------
    chance : float64, shape (m,). Expected value of a random ranking.
    chance_error : float64, shape (m,). Its standard error; 0 where it is exact.
    ceiling : float64, shape (m,). Value of a perfect ranking; NaN for measures of the scores' values.
    best : the measure's best value on any data, such as 1; NaN where it has none.
    """

    chance: NDArray[np.float64]
    chance_error: NDArray[np.float64]
    ceiling: NDArray[np.float64]
    best: float

    @classmethod
    def join(cls, parts: Iterable["Levels"]) -> "Levels":
        """Levels of several sets of cascades, one behind the other."""
        listed = list(parts)
        return cls(
            np.concatenate([part.chance for part in listed]),
            np.concatenate([part.chance_error for part in listed]),
            np.concatenate([part.ceiling for part in listed]),
            listed[0].best,
        )

    def summary(self, values: NDArray[np.float64]) -> dict[str, float]:
        """Means over the cascades that have a value, and the mean of `values` put between them.

        Keys: ``chance``, ``chance_error``, ``ceiling``; ``corrected`` = (mean - chance)/(best - chance), 0 = as good
        as chance, 1 = the measure's best; ``normalised`` = (mean - chance)/(ceiling - chance).
        """
        known = ~np.isnan(values) & ~np.isnan(self.chance)
        if not known.any():
            return dict.fromkeys(("chance", "chance_error", "ceiling", "corrected", "normalised"), np.nan)
        mean, floor, ceiling = (float(x[known].mean()) for x in (values, self.chance, self.ceiling))
        error = float(np.sqrt(np.sum(self.chance_error[known] ** 2)) / known.sum())
        return {
            "chance": floor,
            "chance_error": error,
            "ceiling": ceiling,
            "corrected": float(normalised.between(mean, floor, self.best)),
            "normalised": float(normalised.between(mean, floor, ceiling)),
        }


def levels(ranks: RelevantRanks, measures: Measures) -> dict[str, Levels]:
    """Column name -> levels, for the measures as in `score_ranks`.

    Chance is exact for measures of ranks, and from `DRAWS` random rankings for measures of the scores' values.
    """
    floors = score_ranks(chance.random_ranking(ranks), measures)
    ceilings = score_ranks(chance.perfect_ranking(ranks), measures)
    found = {}
    for (label, given), (name, floor) in zip(measures.items(), floors.items(), strict=True):
        module = plugins.load("metrics", given.get("use", label), where=f"measures.{label}")
        error = np.zeros(len(ranks))
        if np.isnan(floor).all() and ranks.has_probabilities.any():
            score = partial(module.score, **{key: value for key, value in given.items() if key != "use"})
            floor, error = chance.monte_carlo(  # noqa: PLW2901
                ranks, score, draws=DRAWS, rng=seeding.generator(0, "chance", measure=name)
            )
        found[name] = Levels(floor, error, ceilings[name], getattr(module, "BEST", 1.0))
    return found
