"""Which metrics show the same error whatever the ground truth: TAIA's perturbation experiment.

An ideal ranking has its true documents on top. x % of them are exchanged, each with a document that is not true then.
A good metric gives back 1 - x for any number of true and of other documents.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cascurve.metrics import auc, ndcg
from cascurve.metrics.relevant_ranks import RelevantRanks
from cascurve.timeaware.lists import listed
from cascurve.timeaware.measures import RATES, measure

TRUTHS = ((100, 100), (50, 50), (5, 5), (20, 180), (10, 90), (1, 9))
"""True and other documents of a ranking."""
PERTURBATIONS = (0.1, 0.25, 0.5)
METRICS = (*RATES, "nDCG", "AUC")


@dataclass(frozen=True)
class Robustness:
    """One ground truth at one perturbation: mean and standard error of each metric over random rankings."""

    true: int
    other: int
    perturbation: float
    mean: dict[str, float]
    error: dict[str, float]


def experiment(rng: np.random.Generator, rankings: int = 1000) -> Iterator[Robustness]:
    """Every perturbation of every ground truth, as in the published comparison of metrics."""
    for perturbation in PERTURBATIONS:
        for true, other in TRUTHS:
            ranks = perturbed(true, other, perturbation, rankings, rng)
            values = {name: value for name, value in measure(ranks).items() if name in RATES}
            values |= {"nDCG": ndcg.score(ranks, ideal="list"), "AUC": auc.score(ranks)}
            mean = {name: float(value.mean()) for name, value in values.items()}
            error = {name: float(value.std(ddof=1) / np.sqrt(rankings)) for name, value in values.items()}
            yield Robustness(true, other, perturbation, mean, error)


def perturbed(true: int, other: int, perturbation: float, rankings: int, rng: np.random.Generator) -> RelevantRanks:
    """Random rankings of `true` + `other` documents.

    perturbation * true exchanges, rounded up or down at random so that their mean is exact; each exchanges a document
    that is true *then* with one that is not. So an exchange can be undone, and x is not fully reached, as in the
    original.
    """
    places = np.tile(np.arange(true + other), (rankings, 1))  # the first `true` columns are the true ones' places
    wanted = perturbation * true
    exchanges = int(wanted) + (rng.random(rankings) < wanted - int(wanted))
    for step in range(int(exchanges.max(initial=0))):
        rows = np.flatnonzero(step < exchanges)
        one = rng.integers(0, true, len(rows))
        two = rng.integers(true, true + other, len(rows))
        places[rows, one], places[rows, two] = places[rows, two], places[rows, one]
    return listed(
        np.arange(rankings + 1) * true,
        np.sort(places[:, :true], axis=1).ravel(),
        np.full(rankings, true + other),
        np.full(rankings, true),
    )
