"""The configuration model: networks that are random but for the degrees of their nodes."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.giant import giant_component
from cascurve.networks.links import number_of_links

ROUNDS = 1000


def generate(
    n: int,
    degree: float,
    *,
    law: Literal["power", "geometric", "regular"] = "power",
    exponent: float = 2.5,
    giant: bool = False,
    rng: np.random.Generator,
) -> Graph:
    """A network with drawn degrees (Molloy & Reed 1995), the mean degree in expectation.

    Ends of links are matched at random. A loop or a link that is there twice swaps ends with a random other link,
    until there are none: so every node keeps its degree.

    Parameters
    ----------
    law : of the degrees. ``power``: node i of n has the expected degree c * (i + 1)**(-1 / (exponent - 1)), rounded up
        or down at random; ``geometric``: at least 1 each; ``regular``: `degree`, rounded up or down at random.
    exponent : of the power law, above 2; the other laws do not use it.
    giant : keep the giant component only.

    Raises
    ------
    ConfigError : for degrees that no network has, or that the law cannot have.
    """
    number_of_links(n, degree)
    degrees = _degrees(n, degree, law, exponent, rng)
    if degrees.sum() % 2:
        degrees[np.argmin(degrees)] += 1
    graph = Graph.from_edges(n, *_match(degrees, rng), directed=False)
    return giant_component(graph) if giant else graph


def _degrees(n: int, degree: float, law: str, exponent: float, rng: np.random.Generator) -> NDArray[np.int64]:
    if law == "geometric":
        if degree < 1:
            raise ConfigError("degree", degree, "at least 1 for geometric degrees")
        return np.minimum(rng.geometric(1 / degree, n), n - 1)
    expected = np.full(n, float(degree))
    if law == "power":
        if exponent <= 2:
            raise ConfigError("exponent", exponent, "an exponent above 2")
        weights = np.arange(1, n + 1) ** (-1 / (exponent - 1))
        expected = degree * weights / weights.mean()
        if expected[0] > n - 1:
            raise ConfigError("exponent", exponent, f"no node with {expected[0]:.0f} of {n - 1} possible links")
    return np.floor(expected + rng.random(n)).astype(np.int64)


def _match(degrees: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ends = rng.permutation(np.repeat(np.arange(len(degrees)), degrees)).reshape(2, -1)
    for _ in range(ROUNDS):
        low, high = ends.min(axis=0), ends.max(axis=0)
        _, first = np.unique(low * len(degrees) + high, return_index=True)
        bad = np.ones(ends.shape[1], np.bool_)
        bad[first] = False
        bad |= low == high
        if not bad.any():
            return low, high
        for link, other in zip(np.flatnonzero(bad), rng.integers(ends.shape[1], size=bad.sum()), strict=True):
            ends[1, link], ends[1, other] = ends[1, other], ends[1, link]
    raise ConfigError("law", "these degrees", "degrees that a network without loops and double links can have")
