"""A network cut down to its giant component."""

import numpy as np

from cascurve.graph import Graph


def giant_component(graph: Graph) -> Graph:
    """The largest weakly connected component, its nodes numbered anew in their old order."""
    kept = graph.giant_component()
    label = np.full(graph.n_nodes, -1, np.int32)
    label[kept] = np.arange(len(kept))
    tail, head = label[graph.edge_sources], label[graph.indices]
    return Graph.from_edges(len(kept), tail[tail >= 0], head[tail >= 0], directed=True)
