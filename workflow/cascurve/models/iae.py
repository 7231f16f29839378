"""IAE, the independent asymmetric embedding: an influence point per source, and per source a space of recipients.

Xie et al. 2022 (CSCWD; arXiv 2105.08291). Its "co-occurrence regulation" weighs a pair of users by how often they
occur together under a source; triplets sampled from the cascades do so by themselves.
"""

from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.heat_kernel import Embedding, Layout, Training, fit
from cascurve.models.popularity import receptions


@dataclass(frozen=True)
class Model:
    """IAE. Parameters as in `cascurve.models.cdk`, but for shards: sources learn each by itself, on any thread.

    fallback : scores of a source without a training cascade: those of the ``average`` training source, or how often
        users were reached in the training cascades, ``popularity``.

    Only sources of training cascades get a space: memory is sources × users × dimension × 4 bytes. Triplets are
    anchored at the source, whose space it is.
    """

    dimension: int = 20
    distance: Literal["squared", "plain"] = "squared"
    margin: float = 1.0
    learning_rate: float = 0.03
    updates: int = 8_000_000
    pairs: int = 2
    negatives: float | None = None
    spread: float = 0.3
    clip: float | None = None
    held_out: float = 0.0
    checks: int = 20
    patience: int = 5
    fallback: Literal["average", "popularity"] = "average"

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> Embedding:
        """Train on cascades; `graph` is not used."""
        training = {key: value for key, value in asdict(self).items() if key != "fallback"}
        fitted = fit(train, _layout, Training(**training), rng)
        return (
            replace(fitted, unknown=receptions(train).astype(np.float32)) if self.fallback == "popularity" else fitted
        )


def _layout(train: CascadeSet) -> Layout:
    n, sources = train.n_users, np.unique(train.sources)
    sender, receivers = np.full(n, -1), np.zeros(n, np.int64)
    sender[sources] = np.arange(len(sources))
    receivers[sources] = len(sources) + n * np.arange(len(sources))
    return Layout(len(sources) * (1 + n), sender, receivers, apart=True)
