"""Tuning: which parameters of a model do best on held-out training cascades. Test data play no part."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError
from cascurve.metrics import average_precision
from cascurve.metrics.relevant_ranks import relevant_ranks
from cascurve.models.interface import Fitted, rank


@dataclass(frozen=True)
class Trial:
    """One set of parameters: its MAP on the validation cascades (None: the fit failed), and what the fit took."""

    parameters: Mapping[str, Any]
    valid_map: float | None
    seconds: float

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def tune(
    fit: Callable[[Mapping[str, Any], CascadeSet], Fitted],
    train: CascadeSet,
    grid: Mapping[str, list[Any]],
    *,
    trials: int,
    valid: float,
    rng: np.random.Generator,
) -> list[Trial]:
    """Try sets of parameters, the best first; those that do equally well stay in the order in which they were tried.

    Parameters
    ----------
    fit : from parameters and training cascades to a fitted model.
    grid : the values of each parameter; all combinations of them are candidates.
    trials : how many of the candidates are tried, in random order: the budget, the same for every model.
    valid : share of the training cascades that are held out, at random, the same ones for every candidate.

    Raises
    ------
    CellError : when no set of parameters gives a model, or one cascade cannot be held out.
    """
    held = max(1, round(valid * len(train)))
    if held >= len(train):
        raise CellError(f"{len(train)} training cascades cannot be parted into training and validation")
    order = rng.permutation(len(train))
    part, check = train.take(np.sort(order[held:])), train.take(np.sort(order[:held]))
    candidates = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    chosen = rng.permutation(len(candidates))[:trials]
    tried, failure = [], ""
    for parameters in (candidates[place] for place in chosen):
        started = time.perf_counter()
        try:
            value: float | None = mean_average_precision(fit(parameters, part), check)
        except CellError as error:
            value, failure = None, str(error)
        tried.append(Trial(parameters, value, time.perf_counter() - started))
    best = sorted(tried, key=lambda trial: -1.0 if trial.valid_map is None else trial.valid_map, reverse=True)
    if best[0].valid_map is None:
        raise CellError(f"none of {len(tried)} sets of parameters gives a model; the last one: {failure}")
    return best


def mean_average_precision(fitted: Fitted, cascades: CascadeSet) -> float:
    """MAP on cascades, asked with their sources; those without a recipient do not count."""
    sources, query = np.unique(cascades.sources, return_inverse=True)
    scores = rank(fitted, CascadeSet(cascades.n_users, np.arange(len(sources) + 1), sources))
    return float(np.nanmean(average_precision.score(relevant_ranks(scores, cascades, query))))
