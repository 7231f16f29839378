"""Preferential attachment: a network grows, and new nodes link to old ones in proportion to their degree."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.links import number_of_links, undirected_rows


def preferential_attachment(n: int, degree: float, *, rng: np.random.Generator) -> Graph:
    """A network grown by preferential attachment (Barabási & Albert 1999). O(n + links).

    Node v brings so many links that the v + 1 nodes have floor((v + 1) * links / n) of them: degree / 2 on average,
    and one more or less from node to node where that is no whole number. The first nodes link to all before them,
    so growth starts from a complete network of about degree + 1 nodes. The links of a node go to distinct nodes.
    Nodes are numbered by age.

    Raises
    ------
    ConfigError : for a mean degree below 2: not every new node would bring a link.
    """
    links = number_of_links(n, degree)
    if degree < 2:
        raise ConfigError("degree", degree, "at least 2 for preferential attachment", "use model 'static'")
    pairs = np.empty((links, 2), np.uint32)
    return Graph(n, *undirected_rows(n, pairs[: _grow(n, links, seeding.kernel_key(rng), pairs)]))


@njit(cache=True)
def _grow(n: Any, links: Any, key: Any, pairs: NDArray[np.uint32]) -> int:
    """Write links (low, high) in the order of (high, low); returns how many.

    A uniform end of a uniform link is a node by its degree.
    """
    random = np.empty(4, np.uint64)
    seeding.start(random, key, 0)
    ends = pairs.reshape(-1)
    drawn = np.empty(n, np.uint32)
    size = 0
    for v in range(1, n):
        begin = size
        wanted = min(v, (v + 1) * links // n - begin)
        while size - begin < wanted:
            # Draw all that are missing before looking at one: the memory serves them at the same time.
            missing = wanted - (size - begin)
            for draw in range(missing):
                drawn[draw] = draw if wanted == v else ends[seeding.below(random, 2 * begin)]
            for draw in range(missing):
                size += _insert(pairs, begin, size, drawn[draw])
        for link in range(begin, size):
            pairs[link, 1] = v
    return size


@njit(cache=True)
def _insert(pairs: NDArray[np.uint32], begin: int, size: int, low: Any) -> int:
    """Put `low` into the ascending ``pairs[begin:size, 0]`` unless it is there already; returns the links added."""
    place = size
    while place > begin and pairs[place - 1, 0] > low:
        place -= 1
    if place > begin and pairs[place - 1, 0] == low:
        return 0
    for entry in range(size, place, -1):
        pairs[entry, 0] = pairs[entry - 1, 0]
    pairs[place, 0] = low
    return 1
