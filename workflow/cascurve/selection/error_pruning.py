"""C4.5's error-based pruning, by which the decision trees of the model-selection study differ.

A leaf that errs on E of its N training examples is expected to err at the upper limit of a binomial interval, at
confidence c. A subtree is replaced by a leaf where that does not raise the expected errors (Quinlan 1993, chapter 4);
subtree raising is left out.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv


def leaf_probabilities(tree: Any, leaves: NDArray[np.int64], confidence: float) -> NDArray[np.float64]:
    """Share of positives in the leaf that each example falls into after pruning.

    Parameters
    ----------
    tree : a scikit-learn ``Tree`` of a classifier of two classes.
    leaves : node that each example ends in before pruning.
    confidence : c, 0 < c <= 0.5; the smaller, the more is pruned.
    """
    counts = tree.value[:, 0, :] * tree.n_node_samples[:, None]  # shares of the classes, made numbers again
    left, right = tree.children_left, tree.children_right
    n, errors = counts.sum(axis=1), counts.min(axis=1)
    expected = n * upper_limit(errors, n, confidence)
    ends = np.arange(len(n))  # where an example that reaches a node ends
    below = expected.copy()
    for node in range(len(n) - 1, -1, -1):  # children come after their parent
        if left[node] < 0:
            continue
        split = below[left[node]] + below[right[node]]
        if expected[node] > split + 1e-9:
            below[node] = split
            ends[node] = -1
    stop = ends.copy()
    for node in range(len(n)):  # a pruned node is the end of all that is below it
        if left[node] >= 0:
            for child in (left[node], right[node]):
                stop[child] = stop[node] if stop[node] >= 0 else ends[child]
    return (counts[:, 1] / n)[stop[leaves]]


def upper_limit(errors: NDArray[np.float64], n: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """The error rate at which `errors` or fewer of n have probability `confidence`; shape as the arguments.

    This is the exact limit; C4.5 approximates it where there are errors (0.157 instead of 0.160 for 1 of 16).
    """
    limit = betaincinv(errors + 1, np.maximum(n - errors, 1e-9), 1 - confidence)
    return np.where(errors >= n, 1.0, limit).astype(np.float64)
