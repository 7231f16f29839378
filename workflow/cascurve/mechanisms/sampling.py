"""The data set of one synthetic cell: cascades of one length from fixed sources, for training and for test."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.errors import CellError
from cascurve.graph import Graph
from cascurve.mechanisms.environment import stream
from cascurve.mechanisms.simulation import Simulation
from cascurve.mechanisms.sources import reaching_sources

PILOT = 100
"""Tries per source that tell whether it reaches the length often enough."""

MAX_TRIES = 100_000
"""A cascade that falls short of the length so many times in a row ends the cell."""


@dataclass(frozen=True)
class Sampled:
    """A data set and how it came about.

    Attributes
    ----------
    dataset : training and test cascades, all of the length asked for.
    sources : number of sources that the cascades were to start from.
    skipped_sources : sources passed over because they reach the length too rarely.
    tries : cascades drawn in all, the short ones included.
    reach_probability : share of first tries that reached the length, over training and test.
    cold_source_share : share of test cascades whose source starts no training cascade.
    duplicate_share : share of test cascades that are, user by user, also training cascades.
    """

    dataset: DataSet
    sources: int
    skipped_sources: int
    tries: int
    reach_probability: float
    cold_source_share: float
    duplicate_share: float

    def facts(self) -> dict[str, float]:
        """All but the data set."""
        return {name: value for name, value in vars(self).items() if name != "dataset"}


def sample(
    graph: Graph,
    mechanism: str,
    length: int,
    *,
    parameters: dict[str, Any],
    sources: int | Literal["one", "all"],
    n_train: int,
    n_test: int,
    min_reach: float,
    rng: np.random.Generator,
    environment_rng: np.random.Generator,
) -> Sampled:
    """Training and test cascades: the first `length` users, the source included; drawn again when shorter.

    Parameters
    ----------
    mechanism, parameters : plug-in of the folder ``mechanisms`` and its parameters.
    sources : how many; see `cascurve.mechanisms.sources`. Cascades are spread evenly over them.
    n_train, n_test : numbers of cascades.
    min_reach : lowest probability of reaching `length` that is accepted, of each source and of all together; a source
        below it is passed over for the next one in `choose_sources`' order.
    rng : draws the cascades; one per length.
    environment_rng : stands for the network's sources and link probabilities; the same for all lengths. Neither
        generator is advanced: the same two give the same data set.

    Raises
    ------
    CellError : when the length is reached too rarely, or the network has too few sources.
    """
    simulate = plugins.load("mechanisms", mechanism).simulate
    pilot = stream(rng, "pilot")

    def reach_of(candidates: NDArray[np.int32]) -> NDArray[np.float64]:
        first = np.repeat(candidates, PILOT)
        short = simulate(graph, first, length, 1, **parameters, rng=pilot, environment_rng=environment_rng)
        return (short.cascades.lengths == length).reshape(-1, PILOT).mean(axis=1)

    starts, skipped = reaching_sources(graph, sources, reach_of, min_reach=min_reach, environment_rng=environment_rng)
    # Training and test go through the sources in orders of their own: else the same ones would stay cold everywhere.
    test_order = stream(environment_rng, "test sources").permutation(len(starts))
    wanted = {"train": np.resize(starts, n_train), "test": np.resize(starts[test_order], n_test)}

    def draw(tries: int) -> dict[str, Simulation]:
        return {
            part: simulate(
                graph, first, length, tries, **parameters, rng=stream(rng, part), environment_rng=environment_rng
            )
            for part, first in wanted.items()
        }

    once = draw(tries=1)
    reached = sum(int((part.cascades.lengths == length).sum()) for part in once.values())
    reach = reached / (n_train + n_test)
    if reach < min_reach or reached == 0:
        raise CellError(
            f"cascades reach {length} users with an estimated probability of {reach:.2%} "
            f"({reached} of {n_train + n_test} first tries), below min_reach = {min_reach:.2%}"
        )
    drawn = once if reached == n_train + n_test else draw(MAX_TRIES)
    for part in drawn.values():
        _require_length(part, length)
    train, test = drawn["train"].cascades, drawn["test"].cascades
    return Sampled(
        dataset=DataSet(train, test),
        sources=len(starts),
        skipped_sources=skipped,
        tries=sum(int(part.tries.sum()) for part in drawn.values()),
        reach_probability=reach,
        cold_source_share=float(np.mean(~np.isin(test.sources, train.sources))),
        duplicate_share=_duplicate_share(train, test),
    )


def _require_length(drawn: Simulation, length: int) -> None:
    short = np.flatnonzero(drawn.cascades.lengths < length)
    if len(short):
        source = int(drawn.cascades.sources[short[0]])
        raise CellError(
            f"source {source} reached {length} users in none of {int(drawn.tries[short[0]])} tries; "
            "other sources of the network reach them"
        )


def _duplicate_share(train: CascadeSet, test: CascadeSet) -> float:
    seen = {users.tobytes() for users in train}
    return float(np.mean([users.tobytes() in seen for users in test]))
