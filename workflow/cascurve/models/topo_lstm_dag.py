"""The diffusion topology of Topo-LSTM: which earlier users of a cascade each user may have heard from.

Wang, Zheng, Liu, Chang: Topological recurrent neural network for diffusion prediction, ICDM 2017, section 3. A cascade
v_1, v_2, … over a network G is a directed acyclic graph: v_s -> v_t if (v_s, v_t) is a link of G and v_s came before.
"""

from typing import Literal, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.graph import Graph

Variant = Literal["paper", "released", "last_sender"]


class Neighbours(NamedTuple):
    """From whom a user may hear: of user v, ``users[first[v]:first[v + 1]]``; with `last`, also from the user before.

    first : int64, shape (n_users + 1,). users : int32.
    """

    first: NDArray[np.int64]
    users: NDArray[np.int32]
    last: bool


class Packed(NamedTuple):
    """A batch of cascades laid out by steps: first the sources, then the second users, …

    Cascades stand in order of falling length, so that those which have a step t are the first ones, and a step is one
    slice, ``starts[t]:starts[t + 1]``. An entry is a user of a cascade.

    Attributes
    ----------
    starts : int64, shape (steps + 1,).
    users : int32, shape (entries,).
    first : int64, shape (entries + 1,). Precursors of entry e: the entries ``precursors[first[e]:first[e + 1]]``.
    precursors : int64.
    """

    starts: NDArray[np.int64]
    users: NDArray[np.int32]
    first: NDArray[np.int64]
    precursors: NDArray[np.int64]

    @property
    def targets(self) -> NDArray[np.int64]:
        """Entries that another one follows, in order; the one that follows entry e of step t is a step later."""
        starts = self.starts
        counts = np.diff(starts)[1:]
        inside = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(starts[:-2], counts) + inside

    @property
    def following(self) -> NDArray[np.int32]:
        """The users that come next, aligned with `targets`."""
        return self.users[self.starts[1] :]


def neighbours(graph: Graph, variant: Variant) -> Neighbours:
    """In-neighbours in the network; in the released code links count both ways, and the last user is always one."""
    tail, head = graph.edge_sources, graph.indices
    if variant == "released":
        tail, head = np.concatenate([tail, head]), np.concatenate([head, tail])
    reverse = Graph.from_edges(graph.n_nodes, head, tail, directed=True)
    return Neighbours(reverse.indptr, reverse.indices, variant == "released")


def pack(cascades: CascadeSet, chosen: NDArray[np.int64], near: Neighbours, longest: int) -> Packed:
    """A batch of the `chosen` cascades, each cut to its `longest` first users.

    Users of equal times do not precede one another.
    """
    lengths = np.minimum(cascades.lengths[chosen], longest)
    order = np.argsort(-lengths, kind="stable")
    counts = np.bincount(lengths, minlength=1)
    having = len(chosen) - np.cumsum(counts)[:-1]  # cascades of more than 0, 1, … users
    starts = np.concatenate([[0], np.cumsum(having)])
    times = np.empty(0) if cascades.times is None else cascades.times
    return Packed(starts, *_pack(cascades.offsets[chosen[order]], lengths[order], cascades.users, times, starts, *near))


@njit(cache=True)
def _pack(
    begins: NDArray[np.int64],
    lengths: NDArray[np.int64],
    all_users: NDArray[np.int32],
    times: NDArray[np.float64],
    starts: NDArray[np.int64],
    near_first: NDArray[np.int64],
    near: NDArray[np.int32],
    last: bool,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    users = np.empty(starts[-1], np.int32)
    found = np.zeros(starts[-1] + 1, np.int64)
    place = np.full(len(near_first) - 1, -1, np.int64)
    heard = np.empty(lengths.max(), np.int64)
    first = np.zeros(starts[-1] + 1, np.int64)
    precursors = np.empty(0, np.int64)
    for count in (True, False):  # first how many precursors there are, then which
        if not count:
            first = np.cumsum(found)
            precursors = np.empty(first[-1], np.int64)
        for row in range(len(begins)):
            for step in range(lengths[row]):
                entry, at = starts[step] + row, begins[row] + step
                user = all_users[at]
                users[entry] = user
                size = hear(user, step, near_first, near, last, place, heard)
                kept = 0
                for s in heard[:size]:
                    if len(times) and times[begins[row] + s] >= times[at]:
                        continue
                    if not count:
                        precursors[first[entry] + kept] = starts[s] + row
                    kept += 1
                found[entry + 1] = kept
                place[user] = step
            for step in range(lengths[row]):
                place[all_users[begins[row] + step]] = -1
    return users, first, precursors


@njit(cache=True)
def hear(
    user: int,
    step: int,
    near_first: NDArray[np.int64],
    near: NDArray[np.int32],
    last: bool,
    place: NDArray[np.int64],
    heard: NDArray[np.int64],
) -> int:
    """Write the earlier steps that `user`, the one of `step`, may have heard from; returns how many.

    ``place[u]`` is the step of user u, -1 before it is reached.
    """
    size = 0
    with_last = not last or step == 0
    for link in range(near_first[user], near_first[user + 1]):
        at = place[near[link]]
        if at >= 0:
            heard[size] = at
            size += 1
            with_last = with_last or at == step - 1
    if not with_last:
        heard[size] = step - 1
        size += 1
    return size
