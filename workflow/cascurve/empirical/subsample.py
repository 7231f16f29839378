"""Data sets of graded difficulty from real cascades (the paper, section 3.2).

"We select a fixed number of nodes from the original diffusion sequences while keeping the relative positions of
selected nodes unchanged."
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.empirical import leakage, splits, subgraph
from cascurve.empirical.places import random_words
from cascurve.errors import CellError, ConfigError
from cascurve.formats import account as accounts
from cascurve.formats.account import Step
from cascurve.formats.imported import Imported
from cascurve.graph import Graph


@dataclass(frozen=True)
class Subsample:
    """One draw: a data set of one length, and where its pieces come from.

    Attributes
    ----------
    dataset : users are numbered 0 … N - 1.
    users : int32, shape (N,). User k is user ``users[k]`` of the import; ascending.
    graph : the network among these users, or None.
    train_origin, test_origin : int64. Index of each cascade in the import.
    account : from the import to the data set; adds up to training and test together.
    """

    dataset: DataSet
    users: NDArray[np.int32]
    graph: Graph | None
    train_origin: NDArray[np.int64]
    test_origin: NDArray[np.int64]
    account: tuple[Step, ...]


def subsample(
    imported: Imported,
    length: int,
    *,
    split: Literal["random", "given", "chronological", "source"] = "random",
    test_share: float = 0.2,
    keep_source: bool = True,
    population: Literal["subgraph", "cascades", "network"] = "subgraph",
    min_train: int = 20,
    min_test: int = 5,
    rng: np.random.Generator,
) -> Subsample:
    """Draw `length` users from each cascade that has as many, their order kept.

    A cascade's draw depends on `rng` and on its place in the import only. With the same stream, a shorter draw is a
    subset of a longer one; give each length its own stream for independent draws.

    Parameters
    ----------
    length : L, users per cascade, the source included; >= 2.
    split, test_share : see `splits.test_cascades`; the split comes first.
    keep_source : the first user of the cascade is always drawn (the query of a prediction is the source); otherwise
        all users are drawn alike, and the earliest drawn one is the source.
    population : who counts as N. "subgraph": users of the drawn cascades, the paper's propagation sub-graph.
        "cascades": users of all imported cascades. "network": all users and nodes of the import.
    min_train, min_test : the fewest cascades that make a data set.

    Raises
    ------
    ConfigError : a length that no data set over these users can have, or a split that the files do not support.
    CellError : too few cascades are that long.
    """
    cascades = imported.cascades
    active = len(imported.active_users)
    if not 2 <= length <= active:
        raise ConfigError("lengths", length, f"2 to {active}, the number of users in the cascades")
    split_key, draw_key = seeding.kernel_key(rng), seeding.kernel_key(rng)
    eligible = np.flatnonzero(cascades.lengths >= length)
    counted = f"{len(eligible)} of {len(cascades)} cascades have {length} users or more"
    if len(eligible) < min_train + min_test:
        raise CellError(f"{counted}; needed are {min_train} for training and {min_test} for test")
    test = splits.test_cascades(imported, eligible, split=split, test_share=test_share, key=split_key)
    for part, count, least in (("training", np.sum(~test), min_train), ("test", np.sum(test), min_test)):
        if count < least:
            raise CellError(f"{counted}, of which {count} are for {part}; needed are {least}")
    drawn = _draw(cascades, eligible, length, keep_source, draw_key)
    users = _population(imported, drawn, population)
    relabelled = subgraph.restrict_cascades(drawn, users)
    graph = None if imported.graph is None else subgraph.restrict_graph(imported.graph, users)
    return Subsample(
        DataSet(relabelled.take(~test), relabelled.take(test)),
        users,
        graph,
        eligible[~test],
        eligible[test],
        (*_account(imported, eligible, drawn, graph), _leaks(imported, eligible, test)),
    )


def _leaks(imported: Imported, eligible: NDArray[np.int64], test: NDArray[np.bool_]) -> Step:
    """What the split lets through, seen on the whole cascades."""
    parts = (imported.cascades.take(eligible[~test]), imported.cascades.take(eligible[test]))
    return Step("split checked", note="; ".join(leakage.check(*parts).warnings) or "no leak found")


def _draw(
    cascades: CascadeSet, eligible: NDArray[np.int64], length: int, keep_source: bool, key: np.uint64
) -> CascadeSet:
    """From each eligible cascade, the users with the smallest random words."""
    long = cascades.take(eligible)
    words = random_words(key, eligible, long.offsets)
    if keep_source:
        words[long.offsets[:-1]] = 0
    row = np.repeat(np.arange(len(long)), long.lengths)
    order = np.lexsort((words, row))
    entries = np.sort(order[np.arange(len(order)) - long.offsets[row] < length])
    offsets = np.arange(len(long) + 1, dtype=np.int64) * length
    return CascadeSet(
        cascades.n_users, offsets, long.users[entries], None if long.times is None else long.times[entries]
    )


def _population(imported: Imported, drawn: CascadeSet, population: str) -> NDArray[np.int32]:
    if population == "network":
        return np.arange(imported.cascades.n_users, dtype=np.int32)
    return imported.active_users if population == "cascades" else subgraph.users_of([drawn])


def _account(
    imported: Imported, eligible: NDArray[np.int64], drawn: CascadeSet, graph: Graph | None
) -> tuple[Step, ...]:
    length = int(drawn.lengths[0])
    before, long = accounts.total(imported.account), imported.cascades.take(eligible)
    kept = np.repeat(imported.cascades.lengths >= length, imported.cascades.lengths)
    shorter = accounts.removal(
        f"cascades of fewer than {length} users left out",
        imported.cascades.users,
        kept,
        len(imported.cascades) - len(drawn),
    )
    lost = len(subgraph.users_of([long])) - len(subgraph.users_of([drawn]))
    return (
        Step("imported", before.cascades, before.users, before.participations, before.links),
        shorter,
        Step("users not drawn left out", users=-lost, participations=len(drawn.users) - len(long.users)),
        Step("links of other users left out", links=0 if graph is None else graph.n_links - before.links),
    )
