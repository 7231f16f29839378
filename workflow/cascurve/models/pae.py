"""PAE, the position-aware asymmetric embedding: each user has a point as a source and another as a recipient.

Liu et al. 2016; here as the performance-characteristic-curve paper (section 7.1) reads it: CDK with an influence
space and a susceptibility space.
"""

from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.heat_kernel import Embedding, Layout, Training, fit


@dataclass(frozen=True)
class Model:
    """PAE. Parameters as in `cascurve.models.cdk`, and

    position_weight : "inverse" weighs the triplets of a recipient by 1/position, 1 for the first; what the name's
        "position-aware" means for the loss is not said where it could be read, so the default is "none".

    A source without a training cascade has an influence point that nothing moved: it is scored like the average
    training source.
    """

    dimension: int = 20
    distance: Literal["squared", "plain"] = "squared"
    margin: float = 1.0
    learning_rate: float = 0.03
    updates: int = 8_000_000
    pairs: int = 2
    negatives: float | None = None
    spread: float = 0.3
    anchor: Literal["source", "earlier"] = "source"
    clip: float | None = None
    shards: int = 1
    rounds: int = 10
    held_out: float = 0.0
    checks: int = 20
    patience: int = 5
    position_weight: Literal["none", "inverse"] = "none"

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> Embedding:
        """Train on cascades; `graph` is not used."""
        return fit(train, self._layout, Training(**asdict(self)), rng)

    def _layout(self, train: CascadeSet) -> Layout:
        n, users = train.n_users, np.arange(train.n_users)
        senders = train.sources if self.anchor == "source" else np.delete(train.users, train.offsets[1:] - 1)
        return Layout(2 * n, np.where(np.isin(users, senders), users, -1), np.full(n, n))
