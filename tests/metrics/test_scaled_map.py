"""SMAP = MAP · N / L."""

import numpy as np

from cascurve.metrics.scaled_map import scaled_map


def test_equation_7() -> None:
    np.testing.assert_allclose(scaled_map([0.2, 0.1], [500, 1000], [10, 100]), [10.0, 1.0])
