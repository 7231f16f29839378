"""How fast curves are refitted, against scipy's curve_fit started at the truth."""

import time
from statistics import median

import numpy as np
from scipy.optimize import curve_fit
from tests.points_maker import make_points

from cascurve.curves import exp3
from cascurve.curves.comparison import compare

GOAL = 4.0
ROUNDS, RESAMPLES, PEER_SHARE = 5, 2000, 10  # the peer refits a tenth of the resamples


def test_resampled_fits_of_300_points() -> None:
    rng = np.random.default_rng(1)
    truth = 2.0, 50.0, 5.0
    x = rng.uniform(0.1, 1, 300)
    y = exp3.evaluate(x, *truth) * np.exp(rng.normal(0, 0.1, 300))
    weights = rng.multinomial(300, np.full(300, 1 / 300), RESAMPLES).astype(float)
    found = exp3.estimate_many(x, y, weights)  # compiles
    ours, peers = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        exp3.estimate_many(x, y, weights)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        for row in range(RESAMPLES // PEER_SHARE):
            again = np.repeat(np.arange(300), weights[row].astype(int))
            expected, _ = curve_fit(exp3.evaluate, x[again], y[again], p0=truth)
            np.testing.assert_allclose(found[row], expected, rtol=1e-3)
        peers.append((time.perf_counter() - start) * PEER_SHARE)
    own, peer = 1000 * median(ours), 1000 * median(peers)
    print(f"\n2000 resampled fits of 300 points: ours {own:.0f} ms, scipy {peer:.0f} ms, "
          f"ratio {peer / own:.1f} (goal ≥ {GOAL:g})")  # fmt: skip


def test_comparison_of_a_large_study() -> None:
    """Seven models on 80 networks, 2000 resamples; no peer does this."""
    points = make_points(
        models={f"m{k}": (lambda x, k=k: 2 + (50 + k) * float(np.exp(-4 * x))) for k in range(7)},
        sizes=tuple(range(100, 1001, 100)),
        degrees=tuple(range(3, 11)),
        lengths=tuple(range(10, 101, 10)),
    )
    start = time.perf_counter()
    compare(points, "er", seed=1)
    print(f"\n21 pairs on 80 networks, {len(points)} points: {1000 * (time.perf_counter() - start):.0f} ms")
