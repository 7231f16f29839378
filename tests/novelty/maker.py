"""Tasks for the tests of novelty: from the cases of the gold file, and at random."""

from typing import Any

import numpy as np

from cascurve.graph import Graph
from cascurve.novelty.features import Features
from cascurve.novelty.recommendations import Recommendations
from cascurve.novelty.task import Task


def task_of(case: dict[str, Any], *, weighted: bool) -> Task:
    """A case of the gold file; vertices are numbered in the order of the links, the others after them."""
    number: dict[Any, int] = {}
    links = [[number.setdefault(user, len(number)) for user in link] for link in case["edges"]]
    n_nodes = len(number)
    lists: dict[int, list[int]] = {}
    for user, candidate, _ in case["recommendations"]:
        row = lists.setdefault(number.setdefault(user, len(number)), [])
        row.append(number.setdefault(candidate, len(number)))
    users = [number.setdefault(user, len(number)) for user, _, _ in case["features"]]
    kinds: dict[str, int] = {}
    features = [kinds.setdefault(name, len(kinds)) for _, name, _ in case["features"]]
    weights = np.array([weight for _, _, weight in case["features"]]) if weighted else None
    graph = Graph.from_edges(n_nodes, *np.array(links).T, directed=case["directed"])
    made = Features.of(len(number), np.array(users, np.int32), np.array(features, np.int32), weights)
    return Task(graph, Recommendations.of(lists.items()), len(number), made)


def random_task(seed: int, *, n: int = 30, links: int = 90, lists: int = 12, longest: int = 8, extra: int = 3) -> Task:
    """Some users have no features, some candidates are unknown to the graph; a target may be recommended itself."""
    rng = np.random.default_rng(seed)
    graph = Graph.from_edges(n, *rng.integers(0, n, (2, links)), directed=True)
    made = [
        (int(rng.integers(0, n + extra)), rng.permutation(n + extra)[: rng.integers(1, longest + 1)].tolist())
        for _ in range(lists)
    ]
    users = rng.integers(0, n + extra, 60).astype(np.int32)
    features = Features.of(n + extra, users, rng.integers(0, 9, 60).astype(np.int32), rng.random(60))
    recommendations = Recommendations.of(made)
    total = len(recommendations.candidates)
    return Task(
        graph, recommendations, n + extra, features,
        popularity=rng.integers(0, 20, n + extra).astype(float), observers=20, relevance=rng.random(total),
    )  # fmt: skip
