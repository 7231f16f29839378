"""CDK, the content diffusion kernel: one point per user, whether it sends or receives.

Bourigault, Lagnier, Lamprier, Denoyer, Gallinari: Learning social network embeddings for predicting information
diffusion, WSDM 2014.
"""

from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph
from cascurve.models.heat_kernel import Embedding, Layout, Training, fit


@dataclass(frozen=True)
class Model:
    """CDK. The publication leaves several choices open; each is a parameter.

    Parameters
    ----------
    dimension : coordinates of a point. Which of CDK, PAE and IAE wins depends on it.
    distance : D in the loss, ‖·‖² (as published) or ‖·‖ (as in the first author's code); the ranking is the same.
    margin : by how much D should differ before a triplet is at rest.
    learning_rate : of the first step; falls linearly to 0.
    updates : triplets in all, whatever the number of cascades.
    pairs : partners j drawn for a recipient i at each visit.
    negatives : share of the partners that were never reached; None draws j uniformly among all users not yet
        reached when i was, as the published loss sums over them.
    spread : coordinates start uniform in ±spread.
    anchor : from whom a triplet's distances are measured: ``source``, as in the published loss, or a user drawn
        uniformly from those ``earlier`` than i, the source included.
    clip : coordinates are kept within ±clip, as in one public code; None leaves them free.
    shards : parts of the training cascades that move points of their own, and meet `rounds` times; for one huge fit on
        several threads. The result depends on the shards, and not on the threads.
    held_out : share of the training cascades on which MAP is measured `checks` times in the course of the training; the
        points of the highest MAP are kept. 0 trains on all cascades, to the end.
    patience : checks without a higher MAP after which training ends.

    Notes
    -----
    A source that no training cascade contains is scored like the average training source.
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

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> Embedding:
        """Train on cascades; `graph` is not used."""
        return fit(train, _layout, Training(**asdict(self)), rng)


def _layout(train: CascadeSet) -> Layout:
    users = np.arange(train.n_users)
    seen = np.isin(users, train.users)
    return Layout(train.n_users, np.where(seen, users, -1), np.zeros(train.n_users, np.int64))
