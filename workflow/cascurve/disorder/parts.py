"""Parts of a cascade set to measure one by one: per source, and over windows of time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from cascurve.cascades import CascadeSet
from cascurve.errors import DataError


def by_source(cascades: CascadeSet) -> Iterator[tuple[int, CascadeSet]]:
    """(source, its cascades in stored order), sources ascending."""
    order = np.argsort(cascades.sources, kind="stable")
    sources, starts = np.unique(cascades.sources[order], return_index=True)
    for source, chosen in zip(sources.tolist(), np.split(order, starts[1:]), strict=True):
        yield source, cascades.take(chosen)


def by_window(cascades: CascadeSet, edges: ArrayLike) -> Iterator[tuple[float, float, CascadeSet]]:
    """(from, to, cascades whose source acts in [from, to)) for each two neighbouring edges.

    Raises `DataError` for cascades without times and for edges that do not rise.
    """
    bounds = np.asarray(edges, dtype=np.float64)
    if cascades.times is None:
        raise DataError("the cascades have no times", remedy="windows of time need a format with times")
    if len(bounds) < 2 or np.any(np.diff(bounds) <= 0):
        raise DataError(f"expected at least two rising edges of windows, found {bounds.tolist()}")
    begins = cascades.times[cascades.offsets[:-1]]
    for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        yield start, end, cascades.take((begins >= start) & (begins < end))


def equal_windows(cascades: CascadeSet, count: int) -> Iterator[tuple[float, float, CascadeSet]]:
    """`count` windows with about as many cascades each; fewer where many sources act at the same time."""
    if cascades.times is None:
        raise DataError("the cascades have no times", remedy="windows of time need a format with times")
    begins = cascades.times[cascades.offsets[:-1]]
    edges = np.unique(np.quantile(begins, np.linspace(0, 1, count + 1), method="lower"))
    return by_window(cascades, np.append(edges[: max(1, len(edges) - 1)], np.nextafter(begins.max(), np.inf)))
