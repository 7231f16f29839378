"""SIR, the susceptible-infectious-recovered model: users pass the message on until they lose interest."""

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
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
    recovery: float = 1.0,
    rng: np.random.Generator,
    environment_rng: np.random.Generator,
) -> Simulation:
    """Cascades of the SIR model with constant rates (Hethcote 2000), exact; users stand in the order of infection.

    See `cascurve.mechanisms.simulation` for what all mechanisms share.

    Parameters
    ----------
    rate : infections per unit of time along a link from an infected to a susceptible user.
    recovery : recoveries per unit of time of an infected user; 0 gives SI.
    """
    for name, value in (("rate", rate), ("recovery", recovery)):
        if value < 0 or (name == "rate" and value == 0):
            raise ConfigError(name, value, "a rate above 0" if name == "rate" else "a rate of at least 0")
    return race(graph, sources, length, tries, rate=rate, recovery=recovery, rng=rng)
