"""The best curve that never rises: what any decreasing family can reach at most."""

import numpy as np
from numpy.typing import NDArray


def decreasing(x: NDArray[np.float64], y: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least-squares non-increasing fit to (x, y), at `at`; linear between the points and constant outside.

    Parameters
    ----------
    x, y : shape (n,), n >= 1. Points of equal x get one value.
    at : any shape.
    """
    from scipy.optimize import isotonic_regression

    distinct, code = np.unique(x, return_inverse=True)
    counts = np.bincount(code).astype(np.float64)
    fitted = isotonic_regression(np.bincount(code, y) / counts, weights=counts, increasing=False).x
    return np.interp(at, distinct, fitted)
