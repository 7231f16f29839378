import numpy as np
import pytest
from scipy import integrate, optimize, special, stats
from tests.disorder import twins

from cascurve.cascades import CascadeSet
from cascurve.disorder.empirical_bayes import digamma, fit, posterior_entropy, support_class
from cascurve.disorder.pair_counts import PairTable, pair_table


def table_of(counts: dict[tuple[int, int], int]) -> PairTable:
    support, minority = (np.array(side) for side in zip(*counts, strict=True))
    return PairTable(support, minority, np.array(list(counts.values())))


def test_digamma_equals_scipys() -> None:
    x = np.concatenate([np.geomspace(1e-6, 1e6, 200), np.arange(1.0, 30)])
    np.testing.assert_allclose(digamma(x), special.digamma(x), rtol=2e-13, atol=2e-13)


@pytest.mark.parametrize(("n", "k", "alpha"), [(1, 0, 0.3), (5, 2, 1.0), (20, 1, 4.0)])
def test_posterior_entropy_equals_the_integral(n: int, k: int, alpha: float) -> None:
    density = stats.beta(alpha + k, alpha + n - k).pdf
    expected, _ = integrate.quad(lambda p: density(p) * twins.entropy(p), 0, 1, limit=200)
    found = posterior_entropy(np.array([n]), np.array([k]), np.array([alpha]))
    assert found[0] == pytest.approx(expected, rel=1e-6)


def test_classes_are_half_octaves() -> None:
    found = support_class(np.array([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16]))
    assert found.tolist() == [0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6]


def test_prior_maximises_the_likelihood() -> None:
    counts = {(4, 0): 30, (4, 1): 12, (5, 2): 9, (5, 0): 11}

    def loss(log_alpha: float) -> float:
        a = np.exp(log_alpha)
        folded = {
            (n, k): stats.betabinom(n, a, a).pmf(k) + (stats.betabinom(n, a, a).pmf(n - k) if 2 * k < n else 0)
            for n, k in counts
        }
        return -sum(times * np.log(folded[cell]) for cell, times in counts.items())

    best = optimize.minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-8}).x
    assert fit(table_of(counts)).log_alpha[2] == pytest.approx(best, abs=1e-6)


def test_known_priors_are_found_by_class() -> None:
    """Rare pairs are near coins, frequent ones nearly ordered: each class finds its own α."""
    rng = np.random.default_rng(5)
    support = np.repeat([2, 8], 40_000)
    alpha = np.where(support == 2, 5.0, 0.2)
    first = rng.binomial(support, rng.beta(alpha, alpha))
    cells, times = np.unique(np.stack([support, np.minimum(first, support - first)]), axis=1, return_counts=True)
    priors = fit(PairTable(cells[0], cells[1], times))
    np.testing.assert_allclose(np.exp(priors.log_alpha[[0, 4]]), [5.0, 0.2], rtol=0.15)
    assert priors.log_alpha[1] == priors.log_alpha[4]  # classes without pairs take the next higher one's


def test_pairs_in_fixed_order_have_no_entropy_and_coins_all() -> None:
    fixed, coins = table_of({(1, 0): 9, (6, 0): 20}), table_of({(1, 0): 9, (6, 3): 20})
    for table, expected in ((fixed, 0.0), (coins, 1.0)):
        terms = fit(table).terms(table.support, table.minority)
        assert (terms / table.support).tolist() == pytest.approx([expected] * 2, abs=1e-3)


def test_nothing_is_known_when_all_pairs_are_seen_once() -> None:
    table = pair_table(CascadeSet.of([[0, 1], [2, 3]]))
    assert np.isnan(fit(table).terms(table.support, table.minority)).all()
