"""Naive Bayes, one model per number of attributes: each model's attributes are among those of the next."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.examples import Examples

SIXTEEN = (1, 2, 4, 6, 8, 10, 12, 14, 15, 16)
"""What the paper takes of sixteen attributes; for other numbers it does not say."""

MODELS = 10
LEAST_VARIANCE = 1e-9
"""Added to every variance, as a share of the greatest."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """Naive Bayes: normal densities for numbers, frequencies with Laplace's correction for nominal attributes.

    Parameters
    ----------
    attributes : how many of the first attributes each model uses. None = the paper's list for 16 attributes, and for
        other numbers up to ten counts at equal steps, ours.
    """

    attributes: tuple[int, ...] | None = None

    def predict(self, train: Examples, test: Examples, seed: int) -> dict[str, Floats]:
        """Model -> probability of the positive class for each test example; `seed` is not used."""
        n_attributes = len(train.nominal)
        prior = np.log((train.positive.sum() + 1) / (len(train) - train.positive.sum() + 1))
        evidence = prior + np.cumsum(_evidence(train, test), axis=1)
        chosen = attribute_counts(n_attributes) if self.attributes is None else self.attributes
        return {
            f"{count} attributes": 1 / (1 + np.exp(-np.clip(evidence[:, count - 1], -700, 700)))
            for count in chosen
            if count <= n_attributes
        }


def attribute_counts(n_attributes: int) -> Sequence[int]:
    """The default numbers of attributes."""
    if n_attributes == SIXTEEN[-1]:
        return SIXTEEN
    steps = np.rint(np.linspace(1, n_attributes, min(MODELS, n_attributes))).astype(int)
    return tuple(dict.fromkeys(steps.tolist()))


def _evidence(train: Examples, test: Examples) -> Floats:
    """Log ratio of an attribute's likelihood under both classes; shape (test examples, attributes)."""
    spread = float(train.attributes[:, ~train.nominal].var(axis=0).max(initial=0.0))
    columns = []
    for column, is_nominal in enumerate(train.nominal):
        asked = test.attributes[:, column]
        both = [train.attributes[train.positive == value, column] for value in (True, False)]
        if is_nominal:
            n_values = int(max(train.attributes[:, column].max(), asked.max())) + 1
            yes, no = (_log_frequency(known, asked, n_values) for known in both)
        else:
            yes, no = (_log_density(known, asked, LEAST_VARIANCE * (spread or 1.0)) for known in both)
        columns.append(yes - no)
    return np.column_stack(columns)


def _log_density(known: Floats, asked: Floats, least: float) -> Floats:
    variance = known.var() + least
    density: Floats = -0.5 * (np.log(2 * np.pi * variance) + (asked - known.mean()) ** 2 / variance)
    return density


def _log_frequency(known: Floats, asked: Floats, n_values: int) -> Floats:
    counts = np.bincount(known.astype(int), minlength=n_values) + 1.0
    frequency: Floats = np.log(counts / counts.sum())[asked.astype(int)]
    return frequency
