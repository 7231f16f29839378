"""Average pairwise comparison entropy: how far the order of any two users is left to chance (the paper's section 5)."""

import math
from dataclasses import dataclass

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.disorder.empirical_bayes import Priors, fit
from cascurve.disorder.jackknife import left_out, standard_error
from cascurve.disorder.pair_counts import PairTable, pair_table
from cascurve.disorder.pair_entropy import RATIOS, PairSums, pair_sums, quotient

Values = tuple[float, ...]
"""Of `RATIOS`, in order."""

NAMES = ("apce", "apce_rel", "apce_pairs", "apce_bayes", "apce_zhang")
"""Of `RATIOS`, in order."""
TRUSTED_SUPPORT = 15.0
"""Below this mean support the plug-in value says more about the sample's size than about the data."""


@dataclass(frozen=True)
class Difficulty:
    """How disordered a cascade set is, and how well that is known.

    Attributes
    ----------
    apce : plug-in, in bits, 0 … 1 (eq. 5). A pair seen once counts as perfectly ordered.
    apce_rel : plug-in over its expectation under fair coins with the same supports; NaN if all pairs are seen once.
    apce_pairs : Σ n·4ab/(n(n − 1)) / Σ n over pairs seen at least twice: unbiased per pair, on the scale 4p(1 − p).
    apce_zhang : by Zhang's estimator, in bits; for a mean support of 10 and more.
    apce_bayes : the entropy corrected by empirical Bayes, in bits: recommended, see docs/difficulty.md.
    apce_se, apce_rel_se, apce_pairs_se, apce_bayes_se, apce_zhang_se : standard errors over cascades (their spread
        from one sample of cascades to the next, not their bias); NaN where they cannot be had.
    pair_support : n̄, mean number of cascades in which a pair occurs.
    once_share : share of the pairs that are seen once, 0 … 1.
    n_pairs : unordered pairs of users that occur together.
    """

    apce: float
    apce_rel: float
    apce_pairs: float
    apce_bayes: float
    apce_zhang: float
    apce_se: float
    apce_rel_se: float
    apce_pairs_se: float
    apce_bayes_se: float
    apce_zhang_se: float
    pair_support: float
    once_share: float
    n_pairs: int

    @property
    def warning(self) -> str | None:
        """Why the plug-in value cannot be trusted; None if it can."""
        if self.pair_support >= TRUSTED_SUPPORT:
            return None
        if not self.n_pairs:
            return "no two users occur together"
        return (
            f"mean pair support {self.pair_support:.1f} < {TRUSTED_SUPPORT:g}: the plug-in APCE is biased low "
            f"({100 * self.once_share:.0f} % of the pairs are seen once); use a corrected value"
        )


def measure(cascades: CascadeSet, *, rng: np.random.Generator, bootstrap: int = 0, threads: int = 1) -> Difficulty:
    """Difficulty of a cascade set; where times tie, the order as stored stands.

    Parameters
    ----------
    bootstrap : draws of the cascade bootstrap for the standard errors; 0 takes the jackknife over cascades, which
        is deterministic and costs two passes over the pairs instead of one per draw.
    """
    table = pair_table(cascades, threads=threads)
    estimates, sums, priors = _estimates(table)
    if bootstrap:
        errors = _bootstrap(cascades, bootstrap, rng, threads)
    else:
        less = left_out(cascades, priors, threads=threads)
        errors = tuple(standard_error(*ratio(sums), *ratio(less)) for ratio in RATIOS)
    once = int(table.pairs[table.support == 1].sum())
    share = once / table.n_pairs if table.n_pairs else math.nan
    return Difficulty(
        **dict(zip(NAMES, estimates, strict=True)),
        **{f"{name}_se": error for name, error in zip(NAMES, errors, strict=True)},
        pair_support=table.mean_support,
        once_share=share,
        n_pairs=table.n_pairs,
    )


def _estimates(table: PairTable) -> tuple[Values, PairSums, Priors]:
    priors = fit(table)
    sums = pair_sums(table, priors)
    return tuple(quotient(*ratio(sums)) for ratio in RATIOS), sums, priors


def _bootstrap(cascades: CascadeSet, draws: int, rng: np.random.Generator, threads: int) -> Values:
    m = len(cascades)
    resampled = (cascades.take(rng.integers(m, size=m)) for _ in range(draws))
    values = [_estimates(pair_table(drawn, threads=threads))[0] for drawn in resampled]
    return tuple(np.std(values, axis=0, ddof=1).tolist()) if draws > 1 else (math.nan,) * len(RATIOS)
