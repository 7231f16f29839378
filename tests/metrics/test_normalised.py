"""Between floor and ceiling."""

import numpy as np

from cascurve.metrics.normalised import between, chance_corrected


def test_values() -> None:
    np.testing.assert_allclose(chance_corrected([0.2, 0.6, 1.0], 0.2), [0, 0.5, 1])
    np.testing.assert_allclose(between([0.2, 0.5], 0.1, [0.3, 0.9]), [0.5, 0.5])
    np.testing.assert_allclose(between(0.3, floor=0.5, ceiling=0.1), 0.5)  # smaller is better
    assert np.isnan(between(1.0, 1.0, 1.0))
