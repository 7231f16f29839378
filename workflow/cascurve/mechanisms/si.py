"""SI, the susceptible-infectious model: every link passes the message on after an exponential time (Hethcote 2000)."""

import numpy as np
from numpy.typing import NDArray

from cascurve.graph import Graph
from cascurve.mechanisms.clocks import race
from cascurve.mechanisms.simulation import Simulation


def simulate(
    graph: Graph,
    sources: NDArray[np.int32],
    length: int,
    tries: int = 1,
    *,
    rate: float = 1.0,
    rng: np.random.Generator,
    environment_rng: np.random.Generator,
) -> Simulation:
    """Cascades of the SI model, exact; see `cascurve.mechanisms.simulation` for what all mechanisms share.

    Parameters
    ----------
    rate : infections per unit of time along a link from an infected to a susceptible user; the order of users does
        not depend on it.
    """
    return race(graph, sources, length, tries, rate=rate, rng=rng)


def clocks(graph: Graph, *, environment_rng: np.random.Generator, rate: float = 1.0) -> NDArray[np.float64]:
    """Chance of each link to hold a clock in `clocks.race`, which is all of the law of who comes in what order."""
    return np.ones(graph.n_links)
