"""Probabilities with which information passes along each link of a network."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.mechanisms.environment import stream

Scheme = Literal["bimodal", "fixed", "uniform", "weighted", "trivalency"]

DEFAULTS: dict[str, dict[str, float]] = {
    "bimodal": {"strong": 0.95, "weak": 0.02, "strong_share": 0.4},
    "fixed": {"probability": 0.3},
    "uniform": {"low": 0.0, "high": 1.0},
    "weighted": {},
    "trivalency": {},
}
"""Parameters of each scheme and their values where the configuration has none."""

TRIVALENCY = (0.1, 0.01, 0.001)


def edge_probabilities(
    graph: Graph, edges: Scheme, *, environment_rng: np.random.Generator, **given: float | None
) -> NDArray[np.float64]:
    """Probability of each link, aligned with ``graph.indices``; shape (links,).

    The two directions of an undirected link are drawn independently. The same `environment_rng` gives the same
    values however often it is asked; it is not advanced.

    Parameters
    ----------
    edges : the scheme. ``bimodal``: `strong` with probability `strong_share`, else `weak`; ``fixed``: `probability`
        everywhere; ``uniform``: uniform in [`low`, `high`); ``weighted``: 1 / in-degree of the target (the weighted
        cascade of Kempe, Kleinberg & Tardos 2003); ``trivalency``: one of 0.1, 0.01, 0.001 (Chen, Wang & Wang 2010).
    given : parameters of the scheme; None means the value in `DEFAULTS`.

    Raises
    ------
    ConfigError : for a parameter that is not the scheme's, or a value outside [0, 1].
    """
    values = _complete(edges, given)
    rng = stream(environment_rng, "edge probabilities")
    match edges:
        case "bimodal":
            strong = rng.random(graph.n_links) < values["strong_share"]
            return np.where(strong, values["strong"], values["weak"])
        case "fixed":
            return np.full(graph.n_links, float(values["probability"]))
        case "uniform":
            return rng.uniform(values["low"], values["high"], graph.n_links)
        case "weighted":
            return 1.0 / graph.in_degrees[graph.indices]
        case "trivalency":
            return rng.choice(TRIVALENCY, graph.n_links)
    raise ConfigError("edges", edges, "one of " + ", ".join(DEFAULTS))


def _complete(edges: str, given: dict[str, float | None]) -> dict[str, float]:
    """The scheme's parameters with defaults filled in, checked."""
    own = DEFAULTS.get(edges, {})
    values = dict(own)
    for name, value in given.items():
        if value is None:
            continue
        if name not in own:
            allowed = ", ".join(own) or "no parameters"
            raise ConfigError(name, value, f"no value: edges '{edges}' takes {allowed}", "remove it or change 'edges'")
        if not 0 <= value <= 1:
            raise ConfigError(name, value, "a probability between 0 and 1")
        values[name] = value
    if values.get("low", 0) > values.get("high", 1):
        raise ConfigError("low", values["low"], f"at most 'high' ({values['high']})")
    return values
