"""Topo-LSTM: a recurrent network along the diffusion topology of a cascade, which says who comes next.

Wang, Zheng, Liu, Chang: Topological recurrent neural network for diffusion prediction, ICDM 2017. The cell is in
`topo_lstm_cell`, the topology in `topo_lstm_dag`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError, ConfigError
from cascurve.graph import Graph
from cascurve.models.adam import Adam
from cascurve.models.early_stopping import keep_best, part
from cascurve.models.popularity import receptions
from cascurve.models.topo_lstm_cell import Weights, loss_and_gradients, reciprocal_rank_of
from cascurve.models.topo_lstm_dag import Neighbours, Variant, neighbours, pack
from cascurve.models.topo_lstm_query import answer
from cascurve.seeding import kernel_key

CLIP = 5.0
"""Norm to which gradients are cut, as in the released code."""


@dataclass(frozen=True)
class Model:
    """Topo-LSTM. The network must be known.

    Parameters
    ----------
    variant : ``paper``: two paths into the cell, from the precursors and from the other users before, each with a
        forget gate of its own. ``last_sender``: the second path comes from the user just before. ``released``, the
        authors' code: one path, the sum over the neighbours in the network (in either direction) and the user just
        before. There the loss is the same as here, over the users not reached yet.
    dimension : of embeddings and hidden states.
    learning_rate : Adam's, of the first step; falls linearly to 0.
    steps : most batches that are trained on.
    batch : cascades in a batch.
    decay : weight of the squared norm of the weights in the loss, embeddings and biases not counted.
    longest : training cascades are cut to so many users.
    ranking : what is asked of the model, which only says who comes next. ``prefix``: that, for the prefix as it is.
        ``rollout``: the likeliest user is appended until the cascade is as long as the longest one in training; users
        rank in the order in which they are appended, then by their chance at the end. ``simulation``: users are drawn
        by their chances, and rank by their chances summed over the steps, which is how likely they are to be reached.
    simulations : cascades drawn per query for that.
    held_out : share of the training cascades on which the mean reciprocal rank of the next user is measured `checks`
        times; the weights of the highest one are kept. 0 trains on all cascades, and keeps the last weights.
    patience : checks without a higher one after which training ends.
    """

    needs: ClassVar[tuple[str, ...]] = ("network",)

    variant: Variant = "paper"
    dimension: int = 64
    learning_rate: float = 0.01
    steps: int = 1200
    batch: int = 8
    decay: float = 0.0
    longest: int = 200
    ranking: Literal["prefix", "rollout", "simulation"] = "simulation"
    simulations: int = 20
    held_out: float = 0.1
    checks: int = 20
    patience: int = 5

    def __post_init__(self) -> None:
        for key in ("dimension", "batch", "simulations", "checks", "patience"):
            if getattr(self, key) < 1:
                raise ConfigError(key, getattr(self, key), "an integer >= 1")
        for key in ("learning_rate", "steps", "decay"):
            if not getattr(self, key) >= 0:
                raise ConfigError(key, getattr(self, key), "a number >= 0")
        if self.longest < 2:
            raise ConfigError("longest", self.longest, "an integer >= 2")
        if not 0 <= self.held_out < 1:
            raise ConfigError("held_out", self.held_out, "a share of at least 0 and below 1")

    def fit(self, train: CascadeSet, *, graph: Graph | None = None, rng: np.random.Generator) -> "Fitted":
        """Train on cascades over `graph`."""
        if graph is None:
            raise CellError("topo_lstm needs the links between users; these data have none")
        near = neighbours(graph, self.variant)
        weights, checked = self._train(train, near, rng)
        length = min(int(train.lengths.max()), self.longest)
        simulations = {"prefix": 0, "rollout": 0, "simulation": self.simulations}[self.ranking]
        return Fitted(weights, near, self.variant, self.ranking, length, simulations, kernel_key(rng), checked)

    def _train(
        self, train: CascadeSet, near: Neighbours, rng: np.random.Generator
    ) -> tuple[Weights, NDArray[np.float64]]:
        weights = initial(train, self.dimension, rng)
        held, pool = part(train, self.held_out, rng)
        if not len(held):
            for _ in self._steps(weights, pool, near, rng):
                pass
            return weights, np.empty(0)
        check = pack(held, np.arange(min(len(held), CHECKED)), near, self.longest)
        marks = {(turn + 1) * self.steps // self.checks for turn in range(self.checks)}
        taken = self._steps(weights, pool, near, rng)
        checks = (reciprocal_rank_of(weights, check, self.variant) for step in taken if step in marks)
        best, values = keep_best(weights, checks, self.patience)
        return Weights(*best), values

    def _steps(self, weights: Weights, pool: CascadeSet, near: Neighbours, rng: np.random.Generator) -> Iterator[int]:
        """Train, in place; yields the number of batches so far after each."""
        adam, queue = Adam(weights, CLIP), np.empty(0, np.int64)
        usable = np.flatnonzero(pool.lengths > 1)
        for step in range(self.steps if len(usable) else 0):
            if len(queue) < min(self.batch, len(usable)):
                queue = np.concatenate([queue, rng.permutation(usable)])
            chosen, queue = queue[: self.batch], queue[self.batch :]
            _, gradients = loss_and_gradients(weights, pack(pool, chosen, near, self.longest), self.variant)
            if self.decay:
                for name in ("w", "up", "uq", "readout"):
                    getattr(gradients, name)[:] += 2 * self.decay * getattr(weights, name)
            adam.step(gradients, self.learning_rate * (1 - step / self.steps))
            yield step + 1


CHECKED = 200
"""Held-out cascades that are looked at, at most."""


def initial(train: CascadeSet, dimension: int, rng: np.random.Generator) -> Weights:
    """Weights to start from: uniform by Glorot & Bengio (2010); who comes next is at first a matter of popularity."""

    def uniform(rows: int, columns: int) -> NDArray[np.float32]:
        limit = np.sqrt(6 / (dimension + rows if rows == columns else 2 * dimension))
        return rng.uniform(-limit, limit, (rows, columns)).astype(np.float32)

    n, d = train.n_users, dimension
    b = np.zeros(4 * d, np.float32)
    b[3 * d :] = 1  # forget nothing at first
    counts = receptions(train) + 0.5
    return Weights(
        rng.uniform(-0.1, 0.1, (n, d)).astype(np.float32),
        uniform(d, 4 * d),
        uniform(d, 4 * d),
        uniform(d, 4 * d),
        b,
        rng.uniform(-0.1, 0.1, (d, n)).astype(np.float32),
        np.log(counts / counts.mean()).astype(np.float32),
    )


@dataclass(frozen=True)
class Fitted:
    """A trained network.

    Attributes
    ----------
    length : users of a cascade that is rolled out or simulated, the prefix included.
    simulations : cascades drawn per query; 0 where none is drawn.
    key : of the queries' random streams.
    checked : mean reciprocal rank of the next user on the held-out cascades, at each check.
    """

    weights: Weights
    near: Neighbours
    variant: Variant
    ranking: str
    length: int
    simulations: int
    key: np.uint64
    checked: NDArray[np.float64]

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """As `Model.ranking` says."""
        return answer(
            prefixes, self.weights, self.near, self.variant, self.ranking, self.length, self.simulations, self.key
        )
