"""What network generators share: how many links a mean degree asks for, and rows from links that arrive in order."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import ConfigError


def number_of_links(n: int, degree: float, *, directed: bool = False) -> int:
    """Links (directed: arcs) of a network of `n` nodes, to the nearest integer.

    Undirected, the mean degree is 2 * links / n; directed, the mean in- and out-degree is arcs / n.
    """
    if n < 2:
        raise ConfigError("n", n, "at least 2 nodes")
    most = n - 1
    if not 0 < degree <= most:
        raise ConfigError("degree", degree, f"a mean degree above 0 and at most {most}, for {n} nodes")
    return round(n * degree) if directed else round(n * degree / 2)


def undirected_rows(n: int, pairs: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Index pointers and indices of the links ``pairs[i] = (low, high)``, in the order of (high, low). O(n + links).

    Large arrays are NumPy's here and in all generators, not the kernels' own: NumPy asks for large pages, and page
    faults would take a sixth of the time.
    """
    indptr, indices = np.empty(n + 1, np.int64), np.empty(2 * len(pairs), np.uint32)
    _fill_rows(pairs, np.empty(n, np.uint32), indptr, indices)
    return indptr, indices.view(np.int32)


@njit(cache=True)
def _fill_rows(
    pairs: NDArray[np.uint32], place: NDArray[np.uint32], indptr: NDArray[np.int64], indices: NDArray[np.uint32]
) -> None:
    """Row v gets its smaller neighbours when v is the high end, and its larger ones after that, in ascending order:
    so each row comes out ascending without a sort.
    """
    n = len(place)
    place[:] = 0
    for link in range(np.uint64(len(pairs))):
        place[pairs[link, 0]] += np.uint32(1)
        place[pairs[link, 1]] += np.uint32(1)
    total = np.int64(0)
    for node in range(n):
        indptr[node] = total
        total += np.int64(place[node])
        place[node] = np.uint32(indptr[node])
    indptr[n] = total
    for link in range(np.uint64(len(pairs))):
        u, v = pairs[link, 0], pairs[link, 1]
        indices[place[u]] = v
        place[u] += np.uint32(1)
        indices[place[v]] = u
        place[v] += np.uint32(1)


def ordered(n: int, pairs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The links by (high, low): counting sorts by the low end, then by the high one, which keeps the first order."""
    place, once, twice = np.empty(n + 1, np.uint32), np.empty_like(pairs), np.empty_like(pairs)
    _sort_by(0, pairs, place, once)
    _sort_by(1, once, place, twice)
    return twice


@njit(cache=True)
def _sort_by(end: Any, pairs: NDArray[np.uint32], place: NDArray[np.uint32], moved: NDArray[np.uint32]) -> None:
    place[:] = 0
    for link in range(np.uint64(len(pairs))):
        place[pairs[link, end] + np.uint32(1)] += np.uint32(1)
    for node in range(len(place) - 1):
        place[node + 1] += place[node]
    for link in range(np.uint64(len(pairs))):
        to = place[pairs[link, end]]
        place[pairs[link, end]] += np.uint32(1)
        moved[to, 0], moved[to, 1] = pairs[link, 0], pairs[link, 1]
