"""ER: exact counts, exact law on small networks, and the known degree distribution."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cascurve.errors import ConfigError
from cascurve.graph import Graph
from cascurve.networks import er
from cascurve.networks.subsets import undirected_pairs


def links_of(graph: Graph) -> frozenset[tuple[int, int]]:
    return frozenset(zip(graph.edge_sources.tolist(), graph.indices.tolist(), strict=True))


@given(n=st.integers(2, 40), share=st.floats(0.05, 1.0), directed=st.booleans(), seed=st.integers(0, 2**32))
def test_gnm_has_exactly_the_mean_degree(n: int, share: float, directed: bool, seed: int) -> None:
    degree = share * (n - 1)
    graph = er.generate(n, degree, directed=directed, rng=np.random.default_rng(seed))
    assert graph.n_nodes == n
    assert graph.n_links == (round(n * degree) if directed else 2 * round(n * degree / 2))
    if not directed:
        assert links_of(graph) == {(v, u) for u, v in links_of(graph)}


@pytest.mark.parametrize("directed", [False, True])
def test_every_small_gnm_network_is_equally_likely(directed: bool) -> None:
    """All networks of 4 nodes and 3 links (undirected: C(6,3) = 20), or of 3 nodes and 2 arcs (C(6,2) = 15)."""
    n, degree, kinds = (3, 2 / 3, 15) if directed else (4, 1.5, 20)
    rng = np.random.default_rng(5)
    seen = Counter(links_of(er.generate(n, degree, directed=directed, rng=rng)) for _ in range(4000))
    assert len(seen) == kinds
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_every_pair_of_gnp_is_linked_independently() -> None:
    """p = 0.5 on 4 nodes: all 2**6 networks are equally likely."""
    rng = np.random.default_rng(6)
    seen = Counter(links_of(er.generate(4, 1.5, model="gnp", rng=rng)) for _ in range(6400))
    assert len(seen) == 64
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


@pytest.mark.parametrize("model", ["gnm", "gnp"])
def test_degrees_are_binomial(model: str) -> None:
    n, degree = 20_000, 5.0
    graph = er.generate(n, degree, model=model, rng=np.random.default_rng(7))  # type: ignore[arg-type]
    law = stats.binom(n - 1, degree / (n - 1))
    found = np.bincount(np.minimum(graph.out_degrees, 12), minlength=13)
    expected = n * np.append(law.pmf(np.arange(12)), law.sf(11))
    # Degrees of one network are almost independent: n is large and the network sparse.
    assert stats.chisquare(found, expected, ddof=0, sum_check=False).pvalue > 1e-4


def test_pairs_are_numbered_in_order() -> None:
    assert [tuple(pair) for pair in undirected_pairs(np.arange(10)).tolist()] == sorted(
        combinations(range(5), 2), key=lambda pair: pair[::-1]
    )


def test_same_generator_same_network() -> None:
    one, two = (er.generate(500, 6, rng=np.random.default_rng(3)) for _ in range(2))
    assert links_of(one) == links_of(two)
    assert links_of(one) != links_of(er.generate(500, 6, rng=np.random.default_rng(4)))


def test_impossible_degree_is_refused() -> None:
    with pytest.raises(ConfigError, match="at most 9, for 10 nodes"):
        er.generate(10, 9.5, rng=np.random.default_rng(1))
