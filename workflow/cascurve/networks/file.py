"""A network from a file, for studies on one's own network: an edge list or GraphML."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cascurve.errors import ConfigError, DataError
from cascurve.graph import Graph
from cascurve.networks.giant import giant_component

PICKLES = (".pickle", ".pkl", ".gpickle", ".p")
TOLERANCE = 0.01


def generate(
    n: int,
    degree: float,
    *,
    path: str | Path,
    directed: bool | None = None,
    giant: bool = False,
    rng: np.random.Generator,
) -> Graph:
    """The network in the file; `n` and `degree`, which name the cell, must be the network's own.

    Nodes are numbered in the order of their names: as numbers if all names are whole numbers, else as text.

    Parameters
    ----------
    path : ``.graphml`` is read by networkx; anything else is an edge list: two names per line, separated by blanks,
        commas or tabs; what follows them is ignored, and so are lines that start with # or %.
    directed : a line "u v" means that information passes from u to v only; by default as GraphML says, and false for
        an edge list.
    giant : keep the giant component only; `n` and `degree` are those of what is kept.

    Raises
    ------
    DataError : for a file that is not such a file. A pickle is refused: reading one runs code that its maker chose.
    ConfigError : when `n` or `degree` (by more than 1 %) is not the network's.
    """
    file = Path(path)
    if file.suffix.lower() in PICKLES:
        raise DataError(
            "a pickle can run any code when it is read, so it is refused",
            file=file,
            remedy="read it where you trust it and write it with networkx.write_graphml or write_edgelist",
        )
    if not file.is_file():
        raise DataError("file not found", file=file, remedy="check the parameter 'path' of the topology")
    graph = _graphml(file, directed) if file.suffix.lower() == ".graphml" else _edge_list(file, bool(directed))
    graph = giant_component(graph) if giant else graph
    if graph.n_nodes != n:
        raise ConfigError("n", n, f"{graph.n_nodes}, the number of nodes in {file}")
    mean = graph.n_links / graph.n_nodes
    if abs(degree - mean) > TOLERANCE * mean:
        raise ConfigError("degree", degree, f"{mean:.4g}, the mean degree in {file}")
    return graph


def _graphml(file: Path, directed: bool | None) -> Graph:
    import networkx as nx

    try:
        network = nx.read_graphml(file)
    except Exception as error:  # the XML parser and networkx have no common type
        raise DataError(f"not readable as GraphML ({error})", file=file) from error
    both = not (network.is_directed() if directed is None else directed)
    return _graph(list(map(str, network.nodes)), [(str(u), str(v)) for u, v in network.edges()], undirected=both)


def _edge_list(file: Path, directed: bool) -> Graph:
    links = list(_lines(file))
    names = list({name: None for link in links for name in link})
    if not names:
        raise DataError("no links in the file", file=file)
    return _graph(names, links, undirected=not directed)


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                fields = line.replace(",", " ").split()
                if not fields or fields[0][0] in "#%":
                    continue
                if len(fields) < 2:
                    raise DataError(f"expected two node names, found {line.strip()!r}", file=file, line=number)
                yield fields[0], fields[1]
    except UnicodeDecodeError as error:
        raise DataError(f"not a text file ({error.reason})", file=file) from error


def _graph(names: list[str], links: list[tuple[str, str]], *, undirected: bool) -> Graph:
    whole = all(name.removeprefix("-").isdecimal() for name in names)
    label = {name: node for node, name in enumerate(sorted(names, key=int if whole else None))}
    ends = np.array([(label[u], label[v]) for u, v in links], np.int32).reshape(-1, 2)
    return Graph.from_edges(len(names), ends[:, 0], ends[:, 1], directed=not undirected)
