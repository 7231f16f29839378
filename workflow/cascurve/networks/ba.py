"""BA, scale-free networks: "the Barabási-Albert scale-free network by static model", as the paper says."""

from typing import Literal

import numpy as np

from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.giant import giant_component
from cascurve.networks.preferential import preferential_attachment
from cascurve.networks.static_model import static_model


def generate(
    n: int,
    degree: float,
    *,
    model: Literal["static", "preferential"] = "static",
    exponent: float = 3.0,
    giant: bool = False,
    rng: np.random.Generator,
) -> Graph:
    """A scale-free network with exactly the nearest whole number of links to the mean degree.

    Parameters
    ----------
    n : nodes.
    degree : mean degree.
    model : ``static``: node weights i**(-1 / (exponent - 1)) (Goh, Kahng & Kim 2001); the paper's words read so, with
        the exponent 3 of Barabási & Albert. ``preferential``: growth by preferential attachment (Barabási &
        Albert 1999). Nodes without links are possible in the first, not in the second.
    exponent : of the degree distribution, above 2; preferential attachment has 3 and no other.
    giant : keep the giant component only, which can have fewer than `n` nodes.
    """
    if model == "static":
        graph = static_model(n, degree, exponent=exponent, rng=rng)
        return giant_component(graph) if giant else graph
    if exponent != 3:
        raise ConfigError("exponent", exponent, "3 for preferential attachment", "use model 'static'")
    return preferential_attachment(n, degree, rng=rng)
