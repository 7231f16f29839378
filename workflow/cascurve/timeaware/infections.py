"""Cascades as a stream: an entity is a cascade or a source, a document a user, true when it is infected.

A slice's list for an entity holds the users that it infects in the slice, and those that it never infects. Users that
it infects in another slice are documents of that slice, as in TAIA every document belongs to one. The model's ranking
is the one that it gave for the source; ties count in expectation.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.errors import CellError
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of
from cascurve.timeaware.cells import Cells, cells_of
from cascurve.timeaware.slices import Slicing, unit_of

Entity = Literal["source", "cascade"]
Clock = Literal["calendar", "since_start"]
"""Times as they are, or counted from the start of each cascade."""


@dataclass(frozen=True)
class Infections:
    """Who is infected when, by entity.

    Attributes
    ----------
    n_entities : entities.
    source : int32, shape (n_entities,). The user whose ranking each is asked for.
    entity, user : int32, shape (infections,), ascending by both. One row for each (entity, user, time).
    time : float64, shape (infections,).
    unit : of the times as the data have them, where it shows (`slices.unit_of`); else empty.
    """

    n_entities: int
    source: NDArray[np.int32]
    entity: NDArray[np.int32]
    user: NDArray[np.int32]
    time: NDArray[np.float64]
    unit: str


def infections(test: CascadeSet, entity: Entity = "source", clock: Clock = "calendar") -> Infections:
    """The infections of cascades, those of the sources themselves left out.

    Raises `CellError` for cascades without times, or when nobody but sources is infected.
    """
    if test.times is None:
        raise CellError("the cascades have no times")
    owner = np.repeat(np.arange(len(test)), test.lengths)
    later = np.ones(len(test.users), np.bool_)
    later[test.offsets[:-1]] = False
    if not later.any():
        raise CellError("no test cascade infects anyone")
    time = test.times - (test.times[test.offsets[:-1]][owner] if clock == "since_start" else 0.0)
    sources, number = np.unique(test.sources, return_inverse=True)
    if entity == "cascade":
        sources, number = test.sources, np.arange(len(test))
    owners, users, times = number[owner[later]], test.users[later], time[later]
    order = np.lexsort((times, users, owners))
    return Infections(
        len(sources),
        sources.astype(np.int32),
        owners[order].astype(np.int32),
        users[order].astype(np.int32),
        times[order],
        unit_of(test.times),
    )


def infection_cells(found: Infections, step: Slicing) -> Cells:
    """The slices in which each entity infects anyone; a user counts once per slice."""
    kept = _keep_once(found, step)
    return cells_of(step, found.n_entities, found.entity[kept], found.time[kept])[0]


def infection_ranks(
    found: Infections, step: Slicing, scores: NDArray[np.float32], query_rows: NDArray[np.int64]
) -> RelevantRanks:
    """The places of the infected users in the list of each cell, in the order of `infection_cells`.

    Parameters
    ----------
    scores : shape (queries, n_users), NaN = no candidate.
    query_rows : shape (n_entities,). Row of `scores` for each entity.
    """
    pairs, member = np.unique(np.stack([found.entity, found.user]), axis=1, return_inverse=True)
    bounds = np.searchsorted(pairs[0], np.arange(found.n_entities + 1))
    whole = ranks_of(scores, bounds, pairs[1], query_rows)
    kept = _keep_once(found, step)
    cells, cell = cells_of(step, found.n_entities, found.entity[kept], found.time[kept])
    group = whole.recipient_group[member.ravel()[kept]].astype(np.int64)
    return _lists(whole, cells, cell, group, pairs[1][member.ravel()[kept]])


def _lists(
    whole: RelevantRanks,
    cells: Cells,
    cell: NDArray[np.int64],
    group: NDArray[np.int64],
    users: NDArray[np.int32],
) -> RelevantRanks:
    """The lists of cells from the places of all infected users of the entities: other infected users are taken out."""
    order = np.lexsort((group, cell))
    cell, group, users = cell[order], group[order], users[order]
    ranked = group >= 0
    found, place, relevant = np.unique(
        np.stack([cell[ranked], group[ranked]]), axis=1, return_inverse=True, return_counts=True
    )
    owner, old = found
    starts = np.searchsorted(owner, np.arange(len(cells) + 1))
    hits = np.concatenate([[0], np.cumsum(relevant)])
    relevant_above = hits[:-1] - hits[starts[owner]]
    never_above = (whole.above - whole.relevant_above)[old]
    never_tied = (whole.size - whole.relevant)[old]
    never = (whole.n_candidates - whole.n_ranked)[cells.entity]
    groups = np.full(len(cell), -1, np.int32)
    groups[ranked] = place.ravel()
    return RelevantRanks(
        n_candidates=never + hits[starts[1:]] - hits[starts[:-1]],
        n_relevant=cells.relevant,
        offsets=starts,
        above=(never_above + relevant_above).astype(np.int32),
        relevant_above=relevant_above.astype(np.int32),
        size=(never_tied + relevant).astype(np.int32),
        relevant=relevant.astype(np.int32),
        recipient_offsets=np.concatenate([[0], np.cumsum(cells.relevant)]),
        recipient_group=groups,
        users=users,
        query_rows=np.zeros(len(cells), np.int64),
        scores=np.full((1, 1), np.nan, np.float32),
    )


def _keep_once(found: Infections, step: Slicing) -> NDArray[np.int64]:
    """Infections that are the first of their entity and user in their slice."""
    index = step.index(found.time)
    keys = np.stack([found.entity, found.user, index])
    first = np.ones(len(index), np.bool_)
    first[1:] = np.any(keys[:, 1:] != keys[:, :-1], axis=0)
    return np.flatnonzero(first & (index >= 0))
