"""Networks with communities: the stochastic block model with blocks of equal size."""

from itertools import combinations_with_replacement

import numpy as np

from cascurve import seeding
from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks.giant import giant_component
from cascurve.networks.links import number_of_links
from cascurve.networks.subsets import bernoulli_subset, undirected_pairs


def generate(
    n: int,
    degree: float,
    *,
    blocks: int = 4,
    mixing: float = 0.2,
    giant: bool = False,
    rng: np.random.Generator,
) -> Graph:
    """A stochastic block model (Holland, Laskey & Leinhardt 1983): pairs are linked independently.

    The mean degree is `degree` in expectation. Blocks hold successive nodes and differ in size by one at most.

    Parameters
    ----------
    blocks : number of communities, at least 2.
    mixing : expected share of links between different blocks, in [0, 1].
    giant : keep the giant component only.

    Raises
    ------
    ConfigError : when there are too few pairs within or between blocks for the links.
    """
    links = n * degree / 2
    number_of_links(n, degree)
    if not 2 <= blocks <= n:
        raise ConfigError("blocks", blocks, f"a number of blocks from 2 to n = {n}")
    if not 0 <= mixing <= 1:
        raise ConfigError("mixing", mixing, "a share between 0 and 1")
    start = np.arange(blocks + 1) * n // blocks
    sizes = np.diff(start).astype(np.int64)
    within = int((sizes * (sizes - 1) // 2).sum())
    between = n * (n - 1) // 2 - within
    expected = {"within": ((1 - mixing) * links, within), "between": (mixing * links, between)}
    for where, (wanted, pairs) in expected.items():
        if wanted > pairs:
            raise ConfigError("mixing", mixing, f"at most {pairs} links {where} blocks, not {wanted:.0f}")
    inside, outside = (wanted / pairs if pairs else 0.0 for wanted, pairs in expected.values())
    parts = [np.empty((0, 2), np.int64)]
    for a, b in combinations_with_replacement(range(blocks), 2):
        key = seeding.kernel_key(rng)
        if a == b:
            codes = bernoulli_subset(int(sizes[a] * (sizes[a] - 1) // 2), inside, key)
            parts.append(start[a] + undirected_pairs(codes).astype(np.int64))
        else:
            row, column = np.divmod(bernoulli_subset(int(sizes[a] * sizes[b]), outside, key), sizes[b])
            parts.append(np.column_stack([start[a] + row, start[b] + column]))
    ends = np.concatenate(parts)
    graph = Graph.from_edges(n, ends[:, 0], ends[:, 1], directed=False)
    return giant_component(graph) if giant else graph
