"""BA: mean degree, exact laws of small cases, exponents."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cascurve.errors import ConfigError
from cascurve.networks import ba
from cascurve.networks.static_model import _alias, _pairs


@given(
    n=st.integers(12, 60),
    degree=st.floats(2, 5.5),
    seed=st.integers(0, 2**32),
    model=st.sampled_from(["static", "preferential"]),
)
def test_mean_degree_is_exact(n: int, degree: float, seed: int, model: str) -> None:
    graph = ba.generate(n, degree, model=model, rng=np.random.default_rng(seed))  # type: ignore[arg-type]
    assert graph.n_nodes == n
    assert graph.n_links == 2 * round(n * degree / 2)


def test_preferential_growth_brings_half_the_degree_per_node() -> None:
    """Degree 5: 2 and 3 links in turn, after a complete network of six nodes."""
    graph = ba.generate(30, 5.0, model="preferential", rng=np.random.default_rng(1))
    brought = [int((graph.targets(v) < v).sum()) for v in range(30)]
    assert brought == [0, 1, 2, 3, 4, 5] + [2, 3] * 12
    assert graph.out_degrees.min() >= 2


def test_preferential_attachment_follows_degree() -> None:
    """Degree 2, four nodes: triangle 0-1-2; then node 3 brings one link to each with chance 1/3; node 4 follows."""
    rng = np.random.default_rng(2)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        graph = ba.generate(5, 2.0, model="preferential", rng=rng)
        third, fourth = graph.targets(3)[0], graph.targets(4)[0]
        seen["hub" if fourth == third else "leaf" if fourth == 3 else "other",] += 1  # type: ignore[index]
    # Before node 4 comes: the hub has degree 3, the leaf 1, the two others 2 each, of 8 in all.
    found = [seen["hub",], seen["leaf",], seen["other",]]  # type: ignore[index]
    assert stats.chisquare(found, np.array([3, 1, 4]) / 8 * 6000).pvalue > 1e-4


def test_preferential_degrees_follow_the_exact_law() -> None:
    """P(k) = 2m(m+1)/(k(k+1)(k+2)) for m links per node (Dorogovtsev, Mendes & Samukhin 2000)."""
    m, n = 3, 40_000
    degrees = ba.generate(n, 2.0 * m, model="preferential", rng=np.random.default_rng(3)).out_degrees
    k = np.arange(m, 15)
    law = 2 * m * (m + 1) / (k * (k + 1) * (k + 2))
    found = np.array([(degrees == value).mean() for value in k])
    assert np.abs(found - law).max() < 0.006


@pytest.mark.parametrize("n", [2, 3, 10, 257])
@pytest.mark.parametrize("exponent", [2.1, 3.0, 50.0])
def test_alias_tables_hold_the_weights(n: int, exponent: float) -> None:
    weights = np.arange(1, n + 1) ** (-1 / (exponent - 1))
    keep, other = _alias(weights)
    chances = np.minimum(keep, 1.0)
    np.add.at(chances, other, 1 - np.minimum(keep, 1.0))
    np.testing.assert_allclose(chances / n, weights / weights.sum(), rtol=1e-9)


def test_static_links_follow_the_weights() -> None:
    """Four nodes, one link: pair (i, j) has probability w_i w_j / sum over pairs."""
    rng = np.random.default_rng(4)
    weights = np.arange(1, 5) ** -0.5
    product = {tuple(sorted((i, j))): weights[i] * weights[j] for i in range(4) for j in range(i)}
    total = sum(product.values())
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(6000):
        low, high = _pairs(1, *_alias(weights), np.uint64(rng.integers(2**63)))[0]
        seen[int(low), int(high)] += 1
    expected = [6000 * product[pair] / total for pair in sorted(product)]
    assert stats.chisquare([seen[pair] for pair in sorted(product)], expected).pvalue > 1e-4


@pytest.mark.parametrize("exponent", [2.5, 3.0, 4.0])
def test_static_model_has_the_exponent(exponent: float) -> None:
    """Hill estimate over the 300 largest of 100,000 degrees."""
    degrees = np.sort(ba.generate(100_000, 6.0, exponent=exponent, rng=np.random.default_rng(5)).out_degrees)[::-1]
    hill = 1 + 1 / np.mean(np.log(degrees[:300] / degrees[300]))
    assert abs(hill - exponent) < 0.45


def test_what_a_model_cannot_do_is_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(ConfigError, match="above 2"):
        ba.generate(100, 4, exponent=2.0, rng=rng)
    with pytest.raises(ConfigError, match="3 for preferential"):
        ba.generate(100, 4, model="preferential", exponent=2.5, rng=rng)
    with pytest.raises(ConfigError, match="at least 2"):
        ba.generate(100, 1.5, model="preferential", rng=rng)
