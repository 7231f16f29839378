"""RELISON's text files: graph, recommendations, features; fields stand between tabs, no header.

| file | a line |
|---|---|
| graph | ``u ⇥ v [⇥ weight [⇥ type]]`` |
| recommendations | ``user ⇥ candidate ⇥ score``; the order of the lines is the ranking, as in RELISON |
| features | ``user ⇥ feature [⇥ value]`` |
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.interning import Labels
from cascurve.formats.text import Tokens, tokens
from cascurve.graph import Graph
from cascurve.novelty.recommendations import Recommendations

Users = NDArray[np.int32]


def read_graph(path: str | Path, users: Labels, *, directed: bool) -> Graph:
    """The graph over the vertices of the file, numbered by `users`, which must be new.

    Weights and types do not matter to novelty; the weights are checked to be numbers. A link that stands several
    times counts once, and a loop only makes its user a vertex.

    Raises
    ------
    DataError : names file and line of what breaks the format.
    """
    tails, heads = read_links(path, users)
    return Graph.from_edges(len(users), tails, heads, directed=directed)


def read_links(path: str | Path, users: Labels) -> tuple[Users, Users]:
    """(u, v) of each line of a graph file; shapes (lines,)."""
    ends = []
    for block in _blocks(path, "u⇥v, u⇥v⇥weight or u⇥v⇥weight⇥type", (2, 3, 4)):
        block.numbers(block.places == 2, "a weight")
        ends.append(block.users(block.places < 2, users).reshape(-1, 2))
    links = np.concatenate(ends)
    return np.ascontiguousarray(links[:, 0]), np.ascontiguousarray(links[:, 1])


def read_recommendations(path: str | Path, users: Labels) -> Recommendations:
    """The lists of all users of the file; candidates unknown so far get new numbers.

    Raises
    ------
    DataError : as `read_graph`, and where a candidate stands twice in a list.
    """
    pairs, lines = [], []
    for block in _blocks(path, "user⇥candidate⇥score", (3,)):
        block.numbers(block.places == 2, "a score")
        pairs.append(block.users(block.places < 2, users).reshape(-1, 2))
        lines.append(block.lines)
    links = np.concatenate(pairs)
    _, place = np.unique(links[:, 0].astype(np.int64) * len(users) + links[:, 1], return_index=True)
    if len(place) < len(links):
        twice = int(np.setdiff1d(np.arange(len(links)), place)[0])
        target, candidate = (users.text(int(code)) for code in links[twice])
        line = int(np.concatenate(lines)[twice])
        remedy = "keep the better rank"
        raise DataError(f"user '{target}' is recommended '{candidate}' twice", file=path, line=line, remedy=remedy)
    return Recommendations.of_links(links[:, 0], links[:, 1])


def read_features(path: str | Path, users: Labels) -> tuple[Users, Users, NDArray[np.float64]]:
    """(user, feature, value) of each line, the value 1 where there is none; shapes (lines,).

    RELISON's own command reads this file without the values; `Features.of` does so when it gets no weights.
    """
    kinds = Labels()
    parts: list[tuple[Any, ...]] = []
    for block in _blocks(path, "user⇥feature or user⇥feature⇥value", (2, 3)):
        owner, feature = block.users(block.places == 0, users), block.users(block.places == 1, kinds)
        values = np.ones(len(owner))
        values[block.counts == 3] = block.numbers(block.places == 2, "a value")
        parts.append((owner, feature, values))
    owners, features, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return owners, features, weights


def _blocks(path: str | Path, expected: str, widths: tuple[int, ...]) -> Iterator[Tokens]:
    """Blocks of a file of which every line has one of the given numbers of fields."""
    for block in tokens(path, separators="\t"):
        wrong = ~np.isin(block.counts, widths)
        if wrong.any():
            row = int(np.argmax(wrong))
            found = f"expected {expected} (⇥ is a tab), found {block.counts[row]} fields"
            raise block.fault(int(block.rows[row]), found)
        yield block
