"""What a model is, and how its scores become a ranking.

A model is a module of this folder with a frozen dataclass ``Model`` whose fields are its parameters. Anything
that follows the two protocols below works; there is nothing to inherit from and no list to add it to.

A model that takes more than cascades says so, and fails with a clear message where that is not known:

    needs: ClassVar[tuple[str, ...]] = ("network",)

"network": the links between users; without it `fit` is given None for the graph, and no job waits for the network.
"mechanism": how the cascades came about, passed to `fit` as `spreading`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError, DataError
from cascurve.graph import Graph


class Fitted(Protocol):
    """A trained model."""

    def score(self, prefixes: CascadeSet) -> NDArray[np.float32]:
        """How likely each user is to be reached next.

        Parameters
        ----------
        prefixes : what is known of each cascade, its first users in order; in the set protocol only the source.
            A prefix's scores may not depend on the other prefixes.

        Returns
        -------
        float32, shape (len(prefixes), n_users), higher = likelier; what stands at a prefix's own users is ignored.
        """
        ...


class DiffusionModel(Protocol):
    """A model with its parameters, not yet trained; each module of this folder names its own ``Model``."""

    def fit(self, train: CascadeSet, *, graph: Graph | None, rng: np.random.Generator) -> Fitted:
        """Train on cascades.

        Parameters
        ----------
        train : all that the model may see of the cascades; it may tune itself on a part of them.
        graph : the network below the cascades, for a model that needs it; else None.
        rng : the only source of randomness; equal generators give equal scores, bit for bit.
        """
        ...


@dataclass(frozen=True)
class Spreading:
    """How the cascades of a synthetic cell came about.

    Attributes
    ----------
    mechanism, parameters : plug-in of the folder ``mechanisms``, and its parameters.
    environment_rng : as the cascades had it: link probabilities and the like are the same.
    """

    mechanism: str
    parameters: Mapping[str, Any]
    environment_rng: np.random.Generator


def train(
    model: Any,
    cascades: CascadeSet,
    *,
    graph: Graph | None,
    rng: np.random.Generator,
    spreading: Spreading | None = None,
) -> Fitted:
    """Fit a model, with all that it needs.

    Raises
    ------
    CellError : what it needs is not known for these data.
    """
    needs, name = getattr(model, "needs", ()), type(model).__module__.rpartition(".")[2]
    if "network" in needs and graph is None:
        raise CellError(f"{name} needs the links between users; these data have none")
    given: dict[str, Any] = {}
    if "mechanism" in needs:
        if spreading is None:
            raise CellError(f"{name} needs to know how cascades spread; of real cascades nobody does")
        given["spreading"] = spreading
    fitted: Fitted = model.fit(cascades, graph=graph if "network" in needs else None, rng=rng, **given)
    return fitted


def rank(fitted: Fitted, prefixes: CascadeSet) -> NDArray[np.float32]:
    """Scores of all candidates for each prefix; NaN marks the prefix's own users, which are no candidates.

    Raises
    ------
    DataError : the model returns something else than (len(prefixes), n_users) floats.
    CellError : a candidate's score is not a finite number, as after a diverged training.
    """
    scores = np.array(fitted.score(prefixes), dtype=np.float32)
    expected = (len(prefixes), prefixes.n_users)
    if scores.shape != expected:
        raise DataError(
            f"{type(fitted).__module__}: expected scores of shape {expected} (prefixes, users), found {scores.shape}"
        )
    queries = np.repeat(np.arange(len(prefixes)), prefixes.lengths)
    scores[queries, prefixes.users] = 0
    if not np.isfinite(scores).all():
        query, user = (int(index[0]) for index in np.nonzero(~np.isfinite(scores)))
        raise CellError(
            f"{type(fitted).__module__}: the score of user {user} for prefix {query} is {scores[query, user]}, "
            "expected a finite number; if the training diverged, lower its learning rate"
        )
    scores[queries, prefixes.users] = np.nan
    return scores
