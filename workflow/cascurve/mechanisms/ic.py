"""IC, the independent cascade (Kempe, Kleinberg & Tardos 2003): each link gets one chance to pass the message on."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.graph import Graph
from cascurve.mechanisms.clocks import race
from cascurve.mechanisms.edge_probabilities import edge_probabilities
from cascurve.mechanisms.rounds import rounds
from cascurve.mechanisms.simulation import Simulation


def simulate(
    graph: Graph,
    sources: NDArray[np.int32],
    length: int,
    tries: int = 1,
    *,
    order: Literal["delays", "random", "fixed"] = "delays",
    edges: Literal["bimodal", "fixed", "uniform", "weighted", "trivalency"] = "bimodal",
    probability: float | None = None,
    strong: float | None = None,
    weak: float | None = None,
    strong_share: float | None = None,
    low: float | None = None,
    high: float | None = None,
    rng: np.random.Generator,
    environment_rng: np.random.Generator,
) -> Simulation:
    """Cascades of the independent cascade; see `cascurve.mechanisms.simulation` for what all mechanisms share.

    Parameters
    ----------
    order : ``delays``: every passing takes an Exp(1) time, and users stand in the order of arrival; ``random``: rounds,
        with a random order within each; ``fixed``: rounds, in the order of the infectors and their ids.
    edges : how link probabilities are drawn, once per network: see
        `cascurve.mechanisms.edge_probabilities.edge_probabilities` for this and the parameters after it.
    """
    chances = edge_probabilities(
        graph,
        edges,
        environment_rng=environment_rng,
        probability=probability,
        strong=strong,
        weak=weak,
        strong_share=strong_share,
        low=low,
        high=high,
    )
    if order == "delays":
        return race(graph, sources, length, tries, probability=chances, rng=rng)
    return rounds(graph, sources, length, tries, probability=chances, shuffle=order == "random", rng=rng)


def clocks(
    graph: Graph,
    *,
    environment_rng: np.random.Generator,
    order: str = "delays",
    edges: Literal["bimodal", "fixed", "uniform", "weighted", "trivalency"] = "bimodal",
    **given: float | None,
) -> NDArray[np.float64] | None:
    """Chance of each link to hold a clock in `clocks.race`, which is all of the law; None where rounds are played."""
    return edge_probabilities(graph, edges, environment_rng=environment_rng, **given) if order == "delays" else None
