import numpy as np

from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, network_weights


def test_weights_draw_as_many_networks_as_there_are() -> None:
    weights = network_weights(7, 100, np.random.default_rng(0))
    assert (weights.sum(axis=1) == 7).all()
    assert abs(weights.mean() - 1) < 1e-12


def test_a_band_over_more_estimates_is_wider() -> None:
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(4000, 20))
    many = np.full(20, 1000)
    one = max_t_band(np.zeros(1), draws[:, :1], many[:1])
    all_ = max_t_band(np.zeros(20), draws, many)
    np.testing.assert_allclose(one.critical, 1.96, atol=0.1)
    np.testing.assert_allclose(all_.critical, 3.02, atol=0.15)  # Bonferroni's: 3.02
    np.testing.assert_allclose(all_.high[0], all_.critical, rtol=0.03)


def test_few_networks_widen_the_band_to_student() -> None:
    draws = np.random.default_rng(0).normal(size=(20000, 1))
    band = max_t_band(np.zeros(1), draws, np.array([6]))
    # t with 5 degrees of freedom at 97.5 %: 2.571; standard error times sqrt(6/5)
    np.testing.assert_allclose(band.high, 2.571 * np.sqrt(6 / 5), rtol=0.03)


def test_no_interval_from_too_few_networks_or_without_spread() -> None:
    draws = np.random.default_rng(0).normal(size=(500, 3))
    draws[:, 2] = 0.0
    band = max_t_band(np.zeros(3), draws, np.array([FEWEST_NETWORKS, FEWEST_NETWORKS - 1, 50]))
    assert np.isfinite(band.low).tolist() == [True, False, False]


def test_coverage_of_the_mean_of_six_normal_values() -> None:
    """Nominal 95 %; the plain percentile interval covers 88 %."""
    rng = np.random.default_rng(1)
    weights = network_weights(6, 800, rng)
    covered = 0
    for _ in range(1000):
        values = rng.normal(size=6)
        band = max_t_band(np.array([values.mean()]), (weights @ values / 6)[:, None], np.array([6]))
        covered += bool(band.low[0] <= 0 <= band.high[0])
    assert 0.93 <= covered / 1000 <= 0.97
