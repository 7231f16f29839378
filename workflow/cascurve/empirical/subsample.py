"""Data sets of graded difficulty from real cascades (the paper, section 3.2).

"We select a fixed number of nodes from the original diffusion sequences while keeping the relative positions of
selected nodes unchanged."
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSet
from cascurve.empirical import filters, splits, subgraph
from cascurve.empirical import leakage as leaks
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
    unseen_users: Literal["keep", "drop"] = "keep",
    leakage: Literal["warn", "error"] = "warn",
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
    unseen_users : "drop": only users that are drawn in a training cascade are drawn in test cascades, and test
        cascades whose source is none of them are left out. A model knows nothing of the others.
    leakage : what to do about a training cascade that is for test too, or begins after the first test cascade:
        a warning in the account, or an error.
    population : who counts as N. "subgraph": users of the drawn cascades, the paper's propagation sub-graph.
        "cascades": users of all imported cascades. "network": all users and nodes of the import.
    min_train, min_test : the fewest cascades that make a data set.

    Raises
    ------
    ConfigError : a split that the files do not support, or that leaks where that is an error.
    CellError : too few cascades are that long.
    """
    if length < 2:
        raise ConfigError("lengths", length, "at least 2, a source and a recipient")
    split_key, draw_key = seeding.kernel_key(rng), seeding.kernel_key(rng)
    long = imported.cascades.lengths >= length
    origin = np.flatnonzero(long)
    counted = f"{len(origin)} of {len(long)} cascades have {length} users or more"
    if len(origin) < min_train + min_test:
        raise CellError(f"{counted}; needed are {min_train} for training and {min_test} for test")
    test = splits.test_cascades(imported, origin, split=split, test_share=test_share, key=split_key)
    whole = accounts.total(imported.account)
    start = replace(imported, account=(replace(whole, step="imported"),))
    kept = start.take(long, f"cascades of fewer than {length} users left out")
    checked = _leaks(kept, test, leakage)
    if unseen_users == "drop":
        seen = np.zeros(imported.cascades.n_users, np.bool_)
        train = kept.cascades.take(~test)
        seen[train.users[_draw(train, origin[~test], length, keep_source, draw_key)]] = True
        kept, known = filters.seen_in_training(kept, test, seen)
        left = kept.cascades.lengths >= length
        kept = kept.take(left, f"test cascades of fewer than {length} such users left out")
        origin, test = origin[known][left], test[known][left]
        counted += f" ({len(origin)} without users that are not seen in training)"
    for part, count, least in (("training", np.sum(~test), min_train), ("test", np.sum(test), min_test)):
        if count < least:
            raise CellError(f"{counted}, of which {count} are for {part}; needed are {least}")
    kept = kept.keep(_draw(kept.cascades, origin, length, keep_source, draw_key), "users not drawn left out")
    users = _population(imported, kept.cascades, population)
    relabelled = subgraph.restrict_cascades(kept.cascades, users)
    graph = None if imported.graph is None else subgraph.restrict_graph(imported.graph, users)
    links = Step("links of other users left out", links=0 if graph is None else graph.n_links - whole.links)
    return Subsample(
        DataSet(relabelled.take(~test), relabelled.take(test)),
        users,
        graph,
        origin[~test],
        origin[test],
        (*kept.account, links, checked),
    )


def _leaks(kept: Imported, test: NDArray[np.bool_], rule: str) -> Step:
    """What the split lets through, seen on the whole cascades."""
    found = leaks.check(kept.cascades.take(~test), kept.cascades.take(test))
    if found.warnings and rule == "error":
        raise ConfigError("subsample.leakage", rule, f"a split that lets nothing through; found: {found.said}")
    return Step("split checked", note=found.said, warning=bool(found.warnings))


def _draw(
    long: CascadeSet, origin: NDArray[np.int64], length: int, keep_source: bool, key: np.uint64
) -> NDArray[np.bool_]:
    """In each cascade, the users with the smallest random words; mask of the participations."""
    words = random_words(key, origin, long.offsets)
    if keep_source:
        words[long.offsets[:-1]] = 0
    row = np.repeat(np.arange(len(long)), long.lengths)
    order = np.lexsort((words, row))
    chosen = np.zeros(len(order), np.bool_)
    chosen[order[np.arange(len(order)) - long.offsets[row] < length]] = True
    return chosen


def _population(imported: Imported, drawn: CascadeSet, population: str) -> NDArray[np.int32]:
    if population == "network":
        return np.arange(imported.cascades.n_users, dtype=np.int32)
    return imported.active_users if population == "cascades" else subgraph.users_of([drawn])
