"""From one value per cascade to a mean with its standard error."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def mean_with_error(values: NDArray[np.float64], clusters: ArrayLike | None = None) -> tuple[float, float]:
    """(mean, standard error) over the cascades that have a value; (NaN, NaN) where none has.

    Parameters
    ----------
    values : shape (m,); NaN = no value.
    clusters : shape (m,), such as the source of each cascade: cascades of one query share its ranking and are not
        independent. The error is then that of a ratio of cluster sums; None = every cascade on its own.

    The standard error is NaN where there is only one cluster.
    """
    has_value = ~np.isnan(values)
    chosen = values[has_value]
    if not len(chosen):
        return np.nan, np.nan
    mean = float(chosen.mean())
    labels = np.arange(len(values)) if clusters is None else np.asarray(clusters)
    _, cluster = np.unique(labels[has_value], return_inverse=True)
    deviations = np.bincount(cluster, chosen - mean)
    n = len(deviations)
    if n < 2:
        return mean, np.nan
    return mean, float(np.sqrt(n / (n - 1) * np.sum(deviations**2)) / len(chosen))
