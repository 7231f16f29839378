"""Link files: one link `u v` a line, as they come with cascade files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.formats.account import Step
from cascurve.formats.interning import Labels
from cascurve.formats.text import tokens
from cascurve.graph import Graph

Direction = Literal["undirected", "forward", "backward"]
"""How a link `u v` spreads: both ways, from u to v, or from v to u (u follows v)."""
Header = Literal["auto", "yes", "no"]


@dataclass(frozen=True)
class Links:
    """Links in the order of the file.

    Attributes
    ----------
    tails, heads : int32, shape (links,). Link i is `u v` with u = tails[i], v = heads[i], numbered by `Labels`.
    note : what to say in the account.
    """

    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    note: str


def read_links(
    path: str | Path, users: Labels, *, blanks: str = " \t", separators: str = "", header: Header = "no"
) -> Links:
    """Read a link file.

    Parameters
    ----------
    header : whether the first line is a header `nodes links`. "auto": it is, where its second number is the number
        of the lines that follow; or where it comes within a tenth of that and neither number is a node of the
        other lines. So such a header is not taken for a link, nor a link for a header.

    Raises
    ------
    DataError : a line that has not two fields, and the faults of `text.tokens`.
    """
    ends = []
    for block in tokens(path, blanks=blanks, separators=separators):
        wrong = block.counts != 2
        if wrong.any():
            row = int(np.argmax(wrong))
            found = f"expected a link of two users, found {block.counts[row]} fields"
            raise block.fault(int(block.rows[row]), found)
        ends.append(block.users(slice(None), users))
    pairs = np.concatenate(ends).reshape(-1, 2)
    name = Path(path).name
    if header == "no" or (header == "auto" and not _is_header(pairs, users)):
        return Links(pairs[:, 0], pairs[:, 1], f"{name}: {len(pairs)} lines")
    nodes, links = (users.text(code) for code in pairs[0])
    pairs = pairs[1:]
    found = f"found {len(np.unique(pairs))} and {len(pairs)}"
    return Links(pairs[:, 0], pairs[:, 1], f"{name}: the header says {nodes} nodes and {links} links, {found}")


def build(links: Links, places: NDArray[np.int32], n_users: int, direction: Direction) -> tuple[Graph, list[Step]]:
    """The network, and its rows of the account.

    Parameters
    ----------
    places : user of each label; shape (labels,).
    """
    tail, head = places[links.tails], places[links.heads]
    if direction == "backward":
        tail, head = head, tail
    graph = Graph.from_edges(n_users, tail, head, directed=direction != "undirected")
    loops = int(np.count_nonzero(tail == head))
    once = graph if direction != "undirected" else Graph.from_edges(n_users, tail, head, directed=True)
    steps = [
        Step("links from a user to itself left out", links=-loops),
        Step("repeated links left out", links=once.n_links + loops - len(tail)),
        Step("links stored both ways", links=graph.n_links - once.n_links),
    ]
    read = Step("network read", links=len(tail), note=f"{links.note}; read as {direction}")
    return graph, [read, *(step for step in steps if step.links)]


def _is_header(pairs: NDArray[np.int32], users: Labels) -> bool:
    nodes, links = (users.text(code) for code in pairs[0])
    if not (nodes.isdecimal() and links.isdecimal()):
        return False
    following = len(pairs) - 1
    if int(links) == following:
        return True
    near = abs(int(links) - following) <= following / 10
    return near and not np.isin(pairs[0], pairs[1:]).any()
