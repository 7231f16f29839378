"""Platt's probabilities: a sigmoid through the decision values of a classifier.

Platt: Probabilities for SV machines, 2000, with the regularised targets; Newton steps as in Lin, Lin and Weng, 2007.
"""

import numpy as np
from numpy.typing import NDArray

STEPS = 100
SMALLEST_STEP = 1e-10

Floats = NDArray[np.float64]


def platt(decisions: Floats, positive: NDArray[np.bool_], asked: Floats) -> Floats:
    """Probability of the positive class at the decision values `asked`, fitted to those of the training examples.

    The sigmoid is fitted to the training examples themselves, as Weka's SMO does by default.
    """
    centre, scale = decisions.mean(), decisions.std()
    n_positive, n = int(positive.sum()), len(positive)
    target = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n - n_positive + 2))
    design = np.column_stack([np.zeros(n) if scale == 0 else (decisions - centre) / scale, np.ones(n)])
    weights = np.array([0.0, np.log((n_positive + 1) / (n - n_positive + 1))])
    loss = _loss(design @ weights, target)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(design @ weights)))
        gradient = design.T @ (p - target)
        hessian = design.T @ (design * (p * (1 - p))[:, None]) + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while _loss(design @ (weights - size * step), target) > loss and size > SMALLEST_STEP:
            size /= 2
        if size <= SMALLEST_STEP:
            break
        weights = weights - size * step
        before, loss = loss, _loss(design @ weights, target)
        if before - loss < 1e-10 * max(loss, 1.0):
            break
    line = (0.0 if scale == 0 else (asked - centre) / scale * weights[0]) + weights[1]
    probability: Floats = 1 / (1 + np.exp(-np.clip(line, -500, 500))) * np.ones(len(asked))
    return probability


def _loss(line: Floats, target: Floats) -> float:
    """Cross-entropy, without overflow."""
    return float(np.sum(np.logaddexp(0, line) - target * line))
