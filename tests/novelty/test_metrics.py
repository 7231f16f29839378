"""Every metric against a slow twin that walks over a networkx graph, and the edge cases that its docstring states."""

import math
from collections import Counter
from collections.abc import Callable, Iterator

import networkx
import numpy as np
import pytest
from tests.novelty.maker import random_task

from cascurve import plugins
from cascurve.errors import ConfigError, DataError
from cascurve.graph import Graph
from cascurve.novelty import averages, scoring
from cascurve.novelty.features import Features
from cascurve.novelty.recommendations import Recommendations
from cascurve.novelty.task import Task

CUTS = (1, 3, None)


class Slow:
    """A task as plain Python: networkx links, dictionaries, one pair at a time."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.graph = networkx.DiGraph()
        self.graph.add_nodes_from(range(task.graph.n_nodes))
        tails = task.graph.edge_sources.tolist()
        self.graph.add_edges_from(zip(tails, task.graph.indices.tolist(), strict=True))

    def lists(self, k: int | None) -> Iterator[tuple[int, list[tuple[int, float]]]]:
        """(target, its (candidate, relevance) pairs)."""
        lists = self.task.lists
        for i, target in enumerate(lists.targets.tolist()):
            part = slice(lists.offsets[i], lists.offsets[i + 1])
            relevance = self.task.relevance
            yield target, list(zip(lists.candidates[part].tolist(), relevance[part].tolist(), strict=True))[:k]

    def vector(self, user: int) -> np.ndarray:
        features = self.task.features
        dense = np.zeros(features.n_features)
        part = slice(features.indptr[user], features.indptr[user + 1])
        dense[features.indices[part]] = features.values[part]
        return dense

    def apart(self, i: int, j: int, skip: bool) -> float | None:
        a, b = self.vector(i), self.vector(j)
        if not a.any() or not b.any():
            return None if skip else 1.0
        return 1 - float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))

    def indegree(self, user: int) -> int:
        return self.graph.in_degree(user) if user in self.graph else 0

    def hops(self, u: int, v: int) -> float:
        if u == v:
            return 0
        try:
            return networkx.shortest_path_length(self.graph, u, v)
        except (networkx.NetworkXNoPath, networkx.NodeNotFound):
            return math.inf

    def unexpected(self, u: int, v: int, skip: bool) -> float:
        contacts = list(self.graph.successors(u)) if u in self.graph else []
        found = [d for w in contacts if (d := self.apart(v, w, skip)) is not None]
        return float(np.mean(found)) if found else 0.0

    def mean(self, of: Callable[[int, int, float], float], k: int | None, average: str) -> float:
        by_list = [[of(u, v, relevance) for v, relevance in row] for u, row in self.lists(k)]
        by_list = [[x for x in row if x is not None] for row in by_list]
        if average == "users":
            return float(np.mean([np.mean(row) for row in by_list if row]))
        return float(np.mean([x for row in by_list for x in row]))


def slow_long_tail(slow, k, reading="code", average="links") -> float:
    out = sum(degree > 0 for _, degree in slow.graph.out_degree)
    users = out if reading == "code" else len(slow.graph)
    return slow.mean(lambda u, v, _: 1 - slow.indegree(v) / users, k, average)


def slow_mean_distance(slow, k, reading="code", average="links") -> float:
    def near(u, v, _):
        hops = slow.hops(u, v)
        if hops == 0:
            return math.inf
        return None if math.isinf(hops) and reading == "formula" else 1 / hops

    mean = slow.mean(near, k, average)
    return 1 / mean - 2 if mean else math.inf


def slow_unexpectedness(slow, k, reading="code", average="links") -> float:
    return slow.mean(lambda u, v, _: slow.unexpected(u, v, reading == "code"), k, average)


def slow_serendipity(slow, k, reading="code", average="links") -> float:
    return slow.mean(lambda u, v, relevance: relevance * slow.unexpected(u, v, reading == "code"), k, average)


def slow_intra_list(slow, k, reading="code") -> float:
    code, formula, links = 0.0, [], 0
    for _, row in slow.lists(k):
        users = [v for v, _ in row]
        pairs = [slow.apart(i, j, reading == "code") for i in users for j in users if i != j]
        total = sum(d for d in pairs if d is not None)
        code += total / len(users)
        links += len(users)
        if len(users) > 1:
            formula.append(total / len(pairs))
    return code / links if reading == "code" else float(np.mean(formula or [0.0]))


def counts(slow, k) -> Counter:
    return Counter(v for _, row in slow.lists(k) for v, _ in row)


def slow_gini(slow, k) -> float:
    found = counts(slow, k)
    n = max(len(slow.graph), len(found))
    all_counts = sorted([*found.values(), *[0] * (n - len(found))])
    apart = sum(abs(a - b) for a in all_counts for b in all_counts)
    return apart / (2 * n * sum(all_counts)) * n / (n - 1)  # the unbiased form: 1 when one user gets everything


def slow_entropy(slow, k) -> float:
    found = counts(slow, k)
    return -sum(c / found.total() * math.log2(c / found.total()) for c in found.values())


def slow_coverage(slow, k) -> float:
    return sum(v in slow.graph for v in counts(slow, k)) / len(slow.graph)


def slow_average_popularity(slow, k, average="links") -> float:
    return slow.mean(lambda u, v, _: slow.task.popularity[v], k, average)


def browsed(slow, k, novelty, discount, relevant) -> float:
    found = []
    for _, row in slow.lists(k):
        weights = [1 / math.log2(rank + 1) if discount == "log" else 1.0 for rank in range(1, len(row) + 1)]
        gains = [w * novelty(v) * (r if relevant else 1) for w, (v, r) in zip(weights, row, strict=True)]
        found.append(sum(gains) / sum(weights))
    return float(np.mean(found))


def slow_epc(slow, k, discount="log", relevant=False) -> float:
    return browsed(slow, k, lambda v: 1 - slow.task.popularity[v] / slow.task.observers, discount, relevant)


def slow_efd(slow, k, discount="log", relevant=False, prior=1.0) -> float:
    seen = slow.task.popularity + prior
    return browsed(slow, k, lambda v: -math.log2(seen[v] / seen.sum()), discount, relevant)


READINGS = [{"reading": r, "average": a} for r in ("code", "formula") for a in ("links", "users")]
BROWSING = [{"discount": d, "relevant": r} for d in ("log", "none") for r in (False, True)]
TWINS = [
    *((name, given) for name in ("long_tail", "mean_distance", "unexpectedness", "serendipity") for given in READINGS),
    *(("intra_list", {"reading": reading}) for reading in ("code", "formula")),
    *((name, {}) for name in ("gini", "entropy", "coverage")),
    *(("average_popularity", {"average": average}) for average in ("links", "users")),
    *((name, given) for name in ("epc", "efd") for given in BROWSING),
    ("efd", {"prior": 3.0}),
]


@pytest.mark.parametrize(("name", "given"), TWINS, ids=str)
def test_equals_the_slow_twin(name, given) -> None:
    for seed in range(6):
        task = random_task(seed)
        slow = Slow(task)
        for k in CUTS:
            ours = plugins.load("novelty", name).score(task, k, **given).value
            assert ours == pytest.approx(globals()[f"slow_{name}"](slow, k, **given), rel=1e-10, abs=1e-12), (seed, k)


def test_every_metric_has_a_twin_and_a_name() -> None:
    names = plugins.names("novelty")
    assert {name for name, _ in TWINS} | {"gini_complement"} == set(names)
    assert len({plugins.load("novelty", name).NAME for name in names}) == len(names)


def test_nothing_recommended_has_the_stated_values() -> None:
    task = Task(random_task(0).graph, Recommendations.of([(1, [])]), features=Features.of(30, *np.zeros((2, 1), int)))
    found = {name: plugins.load("novelty", name).score(task, 5).value for name in plugins.names("novelty")}
    assert math.isnan(found.pop("serendipity"))
    assert found.pop("gini_complement") == 1.0
    assert set(found.values()) == {0.0}


def test_distances_at_the_edges() -> None:
    graph = Graph.from_edges(4, [0, 1], [1, 2], directed=True)
    values = {}
    for label, candidates in (("link", [1]), ("self", [0, 2]), ("no path", [3, 5]), ("mixed", [2, 3])):
        task = Task(graph, Recommendations.of([(0, candidates)]), n_users=6)
        module = plugins.load("novelty", "mean_distance")
        values[label] = [module.score(task, None, reading=reading).value for reading in ("code", "formula")]
    assert values == {"link": [-1, -1], "self": [-2, -2], "no path": [math.inf, 0], "mixed": [2, 0]}


def test_standard_errors_are_those_of_resampled_lists() -> None:
    task = random_task(3, lists=400, n=60, links=300)
    rng = np.random.default_rng(1)
    values = np.where(rng.random(len(task.lists.candidates)) < 0.2, np.nan, rng.random(len(task.lists.candidates)))
    counts, sums = (task.lists.totals(x, 4) for x in ((~np.isnan(values)).astype(float), np.nan_to_num(values)))
    draws = rng.integers(0, 400, (4000, 400))
    for average in ("links", "users"):
        found = averages.mean_over_links(values, task.lists, 4, average)
        with np.errstate(invalid="ignore"):
            means = np.nanmean(sums / counts, where=counts > 0) if average == "users" else sums.sum() / counts.sum()
            by_list = (sums / counts)[draws]
        again = np.nanmean(by_list, axis=1) if average == "users" else sums[draws].sum(1) / counts[draws].sum(1)
        assert found.value == pytest.approx(means)
        assert found.error == pytest.approx(again.std(), rel=0.05)


def test_faults_are_named() -> None:
    task = random_task(1)
    with pytest.raises(ConfigError, match="'cutoff': found 0"):
        scoring.values(task, {"long_tail": {}}, [0])
    with pytest.raises(ConfigError, match="features of the users"):
        scoring.values(Task(task.graph, task.lists, task.n_users), {"ild": {"use": "intra_list"}}, [1])
    with pytest.raises(ConfigError, match="'prior'"):
        scoring.values(task, {"efd": {"prior": -1.0}}, [1])
    with pytest.raises(DataError, match="candidate out of range: users run from 0 to 29"):
        Task(task.graph, Recommendations.of([(0, [40])]))
    with pytest.raises(DataError, match="list 1 is empty"):
        Recommendations(np.array([0, 1], np.int32), np.array([0, 2, 2]), np.array([1, 2], np.int32))


def test_columns_are_named_by_metric_and_cutoff() -> None:
    found = scoring.values(
        random_task(2), {"long_tail": {}, "tail": {"use": "long_tail", "reading": "formula"}}, [1, None]
    )
    assert list(found) == ["long_tail@1", "long_tail", "tail@1", "tail"]
    assert found["tail"].value != found["long_tail"].value
