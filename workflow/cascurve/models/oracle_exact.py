"""Exact chances to be reached, by going through all states that a cascade can be in.

For mechanisms of exponential clocks (`cascurve.mechanisms.clocks`): each link of a newly infected user holds a clock
with its chance, and the next clock to ring is a uniform pick among those that lead to users not yet infected. So the
state is who is infected and which links hold a clock, and time does not matter for the order.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from cascurve.graph import Graph

State = tuple[int, int]
"""Infected users and ticking links, as the bits of integers."""


def inclusion(
    graph: Graph, chances: NDArray[np.float64], source: int, length: int, limit: int
) -> NDArray[np.float64] | None:
    """Chance of each user to be among the first `length`, given that so many are reached; shape (n_nodes,).

    Parameters
    ----------
    chances : of each link to hold a clock, aligned with ``graph.indices``.
    limit : states of cascades of one size, at most.

    Returns
    -------
    None when there are more states. Where no cascade reaches `length`, the chances are those of the shorter ones.
    """
    heads = graph.indices.tolist()
    layer: dict[State, float] = {}
    ended: dict[int, float] = {}

    def infect(into: dict[State, float], infected: int, links: int, user: int, chance: float) -> bool:
        """Add the states in which `user` follows the `infected`; False when they are too many."""
        both = infected | 1 << user
        free = [link for link in range(graph.indptr[user], graph.indptr[user + 1]) if not both >> heads[link] & 1]
        unsure = [link for link in free if 0 < chances[link] < 1]
        if len(unsure) > limit.bit_length() or len(into) + 2 ** len(unsure) > limit:
            return False
        kept = sum(1 << link for link in _bits(links) if heads[link] != user)
        kept |= sum(1 << link for link in free if chances[link] == 1)
        for falls in product((False, True), repeat=len(unsure)):
            share, ticking = chance, kept
            for link, fallen in zip(unsure, falls, strict=True):
                share *= chances[link] if fallen else 1 - chances[link]
                ticking |= fallen << link
            into[both, ticking] = into.get((both, ticking), 0.0) + share
        return True

    if not infect(layer, 0, 0, source, 1.0):
        return None
    for _ in range(length - 1):
        after: dict[State, float] = {}
        for (infected, links), chance in layer.items():
            ticking = _bits(links)
            if not ticking:
                ended[infected] = ended.get(infected, 0.0) + chance
            for link in ticking:
                if not infect(after, infected, links, heads[link], chance / len(ticking)):
                    return None
        layer = after
    final = [(infected, chance) for (infected, _), chance in layer.items()] or list(ended.items())
    total = np.zeros(graph.n_nodes)
    for infected, chance in final:
        total[_bits(infected)] += chance
    return total / sum(chance for _, chance in final)


def _bits(number: int) -> list[int]:
    """Positions of the bits that are set."""
    return [place for place in range(number.bit_length()) if number >> place & 1]
