"""`Graph`: a directed network in compressed sparse rows, the one form in which networks travel."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import ArrayLike, NDArray

from cascurve.errors import DataError
from cascurve.storage import read_table, write_table

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Graph:
    """Links u -> v along which information can pass from u to v; an undirected link is stored both ways.

    Attributes
    ----------
    n_nodes : number of nodes, >= 1.
    indptr : int64, shape (n_nodes + 1,).
    indices : int32, shape (links,). Targets of node u: ``indices[indptr[u]:indptr[u + 1]]``, ascending, no
        duplicate, no self-loop.
    """

    n_nodes: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    def __post_init__(self) -> None:
        if self.n_nodes < 1 or len(self.indptr) != self.n_nodes + 1 or self.indptr[-1] != len(self.indices):
            raise DataError(
                f"expected indptr of {self.n_nodes + 1} entries that ends at {len(self.indices)} links, "
                f"found {len(self.indptr)} entries"
            )
        node = _first_bad_row(self.n_nodes, self.indptr, self.indices)
        if node >= 0:
            raise DataError(f"links of node {node}: targets must be ascending, in 0..{self.n_nodes - 1}, not itself")
        for array in (self.indptr, self.indices):
            array.flags.writeable = False

    @classmethod
    def from_edges(cls, n_nodes: int, u: ArrayLike, v: ArrayLike, *, directed: bool) -> "Graph":
        """From links (u[i], v[i]); duplicates and self-loops are left out. O(nodes + links)."""
        tail, head = np.asarray(u, dtype=np.int32), np.asarray(v, dtype=np.int32)
        for name, ends in (("source", tail), ("target", head)):
            if len(ends) and (ends.min() < 0 or ends.max() >= n_nodes):
                raise DataError(f"link {name} out of range: ids run from 0 to {n_nodes - 1}")
        if not directed:
            tail, head = np.concatenate([tail, head]), np.concatenate([head, tail])
        return cls(n_nodes, *_compress(n_nodes, tail, head))

    @classmethod
    def from_networkx(cls, network: "networkx.Graph[int]") -> "Graph":
        """From a networkx graph whose nodes are 0 … n - 1; an undirected link goes both ways."""
        n_nodes = network.number_of_nodes()
        if set(network.nodes) != set(range(n_nodes)):
            raise DataError("expected nodes 0 … n - 1", remedy="networkx.convert_node_labels_to_integers relabels")
        edges = np.array(list(network.edges()), dtype=np.int32).reshape(-1, 2)
        return cls.from_edges(n_nodes, edges[:, 0], edges[:, 1], directed=network.is_directed())

    @property
    def n_links(self) -> int:
        """Directed links; an undirected link counts twice."""
        return len(self.indices)

    def targets(self, node: int) -> NDArray[np.int32]:
        """Nodes that `node` links to, ascending."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    @cached_property
    def out_degrees(self) -> NDArray[np.int64]:
        """Shape (n_nodes,)."""
        return np.diff(self.indptr)

    @cached_property
    def in_degrees(self) -> NDArray[np.int64]:
        """Shape (n_nodes,)."""
        return np.bincount(self.indices, minlength=self.n_nodes).astype(np.int64)

    @cached_property
    def edge_sources(self) -> NDArray[np.int32]:
        """Tail of each link, aligned with `indices`; shape (links,)."""
        return np.repeat(np.arange(self.n_nodes, dtype=np.int32), self.out_degrees)

    def giant_component(self) -> NDArray[np.int32]:
        """Nodes of the largest weakly connected component, ascending; the lowest node decides a tie."""
        labels = _components(self.n_nodes, self.edge_sources, self.indices)
        return np.flatnonzero(labels == np.bincount(labels).argmax()).astype(np.int32)

    def write(self, path: str | Path, provenance: str = "{}") -> None:
        """Write to Parquet: one row per link, columns ``source``, ``target``."""
        table = pa.table({"source": self.edge_sources, "target": self.indices})
        write_table(table, path, "graph", provenance=provenance, n_nodes=self.n_nodes)

    @classmethod
    def read(cls, path: str | Path) -> "Graph":
        """Read a file made by `write`."""
        table, header = read_table(path, "graph")
        source, target = (table.column(name).to_numpy() for name in ("source", "target"))
        return cls.from_edges(int(header["n_nodes"]), source, target, directed=True)


@njit(cache=True)
def _first_bad_row(n_nodes: int, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> int:
    for node in range(n_nodes):
        if indptr[node + 1] < indptr[node]:
            return node
        previous = -1
        for entry in range(indptr[node], indptr[node + 1]):
            target = indices[entry]
            if target <= previous or target >= n_nodes or target == node:
                return node
            previous = target
    return -1


@njit(cache=True)
def _compress(
    n_nodes: int, tail: NDArray[np.int32], head: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """CSR with ascending rows by two counting sorts (by head, then stably by tail), less duplicates and loops."""
    by_head = np.zeros(n_nodes + 1, np.int64)
    for link in range(len(head)):
        by_head[head[link] + 1] += 1
    by_head = np.cumsum(by_head)
    order = np.empty(len(head), np.int64)
    for link in range(len(head)):
        order[by_head[head[link]]] = link
        by_head[head[link]] += 1
    place = np.zeros(n_nodes + 1, np.int64)
    for link in range(len(tail)):
        place[tail[link] + 1] += 1
    place = np.cumsum(place)
    last = np.full(n_nodes, -1, np.int64)
    degree = np.zeros(n_nodes, np.int64)
    targets = np.empty(len(head), np.int32)
    for rank in range(len(order)):
        u, v = tail[order[rank]], head[order[rank]]
        if u != v and last[u] != v:
            targets[place[u] + degree[u]] = v
            degree[u] += 1
            last[u] = v
    indptr = np.zeros(n_nodes + 1, np.int64)
    for node in range(n_nodes):
        indptr[node + 1] = indptr[node] + degree[node]
    indices = np.empty(indptr[n_nodes], np.int32)
    for node in range(n_nodes):
        for entry in range(degree[node]):
            indices[indptr[node] + entry] = targets[place[node] + entry]
    return indptr, indices


@njit(cache=True)
def _components(n_nodes: int, tail: NDArray[np.int32], head: NDArray[np.int32]) -> NDArray[np.int64]:
    """Weak component of each node, named by its lowest node (union-find with path halving)."""
    parent = np.arange(n_nodes)
    for link in range(len(tail)):
        a, b = tail[link], head[link]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a < b:
            parent[b] = a
        else:
            parent[a] = b
    for node in range(n_nodes):
        root = node
        while parent[root] != root:
            root = parent[root]
        parent[node] = root
    return parent
