"""Exact laws of spreading on small networks, by enumeration, for comparison with simulations."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import numpy as np
from scipy import stats

from cascurve.graph import Graph

Law = dict[frozenset[int], float]


def reached(links: Iterable[tuple[int, int]], source: int) -> frozenset[int]:
    """Nodes that can be reached from the source."""
    links = list(links)
    found = {source}
    while new := {v for u, v in links if u in found} - found:
        found |= new
    return frozenset(found)


def independent_cascade(graph: Graph, probability: np.ndarray, source: int) -> Law:
    """Law of the final set: every link is live or not, independently (Kempe, Kleinberg & Tardos 2003)."""
    links = list(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True))
    law: Counter[frozenset[int]] = Counter()
    for live in product((0, 1), repeat=len(links)):
        chance = np.prod([p if on else 1 - p for p, on in zip(probability, live, strict=True)])
        law[reached((link for link, on in zip(links, live, strict=True) if on), source)] += float(chance)
    return dict(law)


def linear_threshold(graph: Graph, source: int) -> Law:
    """Law of the final set: every node listens to one of its in-neighbours, uniformly chosen (the same paper)."""
    listened = [graph.edge_sources[graph.indices == v].tolist() or [-1] for v in range(graph.n_nodes)]
    law: Counter[frozenset[int]] = Counter()
    for choice in product(*listened):
        chance = 1 / np.prod([len(options) for options in listened])
        law[reached(((u, v) for v, u in enumerate(choice)), source)] += float(chance)
    return dict(law)


def fit(cascades: Iterable[np.ndarray], law: Law) -> float:
    """p-value of the cascades' user sets under the law (chi-square; rare sets pooled)."""
    seen = Counter(frozenset(users.tolist()) for users in cascades)
    assert set(seen) <= {users for users, chance in law.items() if chance > 0}
    total = sum(seen.values())
    common = [users for users, chance in law.items() if chance * total >= 5]
    found = [seen[users] for users in common]
    expected = [law[users] * total for users in common]
    rest = total - sum(expected)
    if rest > 1e-6 * total:
        found, expected = [*found, total - sum(found)], [*expected, rest]
    return float(stats.chisquare(found, expected).pvalue)
