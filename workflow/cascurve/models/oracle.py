"""The ceiling: a ranking by one who knows the network, the mechanism and its parameters, and only not the chances.

What an oracle cannot predict, no model can: its curve is the upper end of the plot. It ranks users by how likely they
are to be among the first L of a cascade from the source that reaches L users, as those of the data do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.models.interface import Spreading
from cascurve.models.oracle_exact import inclusion
from cascurve.seeding import kernel_key


@dataclass(frozen=True)
class Model:
    """The oracle. The training cascades tell it L and nothing else.

    Parameters
    ----------
    simulations : cascades drawn per source. A chance p is then known to ± sqrt(p (1 - p) / simulations).
    tries : how often each of them is drawn again when it ends short of L.
    states : on networks that are trees or have at most a dozen users, chances are computed exactly, for mechanisms
        that say how (a function ``clocks``: IC with delays, SI), as long as cascades of one size have at most so
        many states. Else they are simulated.
    """

    needs: ClassVar[tuple[str, ...]] = ("network", "mechanism")

    simulations: int = 2000
    tries: int = 1000
    states: int = 20_000

    def __post_init__(self) -> None:
        for key, least in (("simulations", 1), ("tries", 1), ("states", 0)):
            if getattr(self, key) < least:
                raise ConfigError(key, getattr(self, key), f"an integer >= {least}")

    def fit(self, train: CascadeSet, *, graph: Graph, spreading: Spreading, rng: np.random.Generator) -> "Fitted":
        """Look up the link probabilities; nothing is trained."""
        module = plugins.load("mechanisms", spreading.mechanism)
        rng_of_links, chances = spreading.environment_rng, None
        if self.states and _small(graph) and hasattr(module, "clocks"):
            chances = module.clocks(graph, **spreading.parameters, environment_rng=rng_of_links)
        length = int(train.lengths.max())
        return Fitted(
            self, graph, spreading.mechanism, spreading.parameters, rng_of_links, length, chances, kernel_key(rng)
        )


def _small(graph: Graph) -> bool:
    """A tree (its links stored both ways), or a dozen users."""
    return graph.n_nodes <= 12 or graph.n_links <= 2 * (graph.n_nodes - 1)


@dataclass(frozen=True)
class Fitted:
    """An oracle for one network.

    Attributes
    ----------
    length : L.
    chances : of the links, for the exact law; None where chances are estimated.
    key : of the simulations' random streams.
    """

    model: Model
    graph: Graph
    mechanism: str
    parameters: Mapping[str, Any]
    environment_rng: np.random.Generator
    length: int
    chances: NDArray[np.float64] | None
    key: np.uint64
    _known: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = field(default_factory=dict, repr=False)

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """How likely each user is to be reached.

        For a prefix of several users 1 - Π (1 - chance from each of them), as though they spread apart: what they
        say together of the cascade so far is not used.
        """
        scores = np.empty((len(prefixes), prefixes.n_users), np.float32)
        for query, prefix in enumerate(prefixes):
            missed = np.ones(prefixes.n_users)
            for user in prefix.tolist():
                missed *= 1 - self.chance_of(user)[0]
            scores[query] = 1 - missed if len(prefix) > 1 else self.chance_of(int(prefix[0]))[0]
        return scores

    def chance_of(self, source: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(chance, standard error) of each user to be among the first L of a cascade from `source`; shapes (n_users,).

        The error is 0 where the chance is exact. A source from which no cascade reached L in all its tries is judged
        by the shorter ones.
        """
        if source not in self._known:  # the same source may stand in many prefixes
            self._known[source] = self._chance_of(source)
        return self._known[source]

    def _chance_of(self, source: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if self.chances is not None:
            exact = inclusion(self.graph, self.chances, source, self.length, self.model.states)
            if exact is not None:
                return exact, np.zeros(len(exact))
        rng = np.random.Generator(np.random.PCG64([int(self.key), source]))
        drawn = plugins.load("mechanisms", self.mechanism).simulate(
            self.graph,
            np.full(self.model.simulations, source, np.int32),
            self.length,
            self.model.tries,
            **self.parameters,
            rng=rng,
            environment_rng=self.environment_rng,
        )
        cascades = drawn.cascades
        long = cascades.lengths == self.length
        if long.any():
            cascades = cascades.take(long)
        share = np.bincount(cascades.users, minlength=cascades.n_users) / len(cascades)
        return share, np.sqrt(share * (1 - share) / len(cascades))
