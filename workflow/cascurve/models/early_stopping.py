"""Early stopping: training is judged on cascades held out of it, by how it ranks them, and its best state is kept.

By the ranking and not by the loss: where many users occur once, the loss on held-out cascades rises long before their
ranking is at its best (docs/models.md has the numbers).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet

Array = NDArray[Any]


def part(train: CascadeSet, held_out: float, rng: np.random.Generator) -> tuple[CascadeSet, CascadeSet]:
    """The held-out cascades, chosen at random among those with a recipient, and the others, in their order."""
    if not held_out:
        return train.take(np.empty(0, np.int64)), train
    order = rng.permutation(np.flatnonzero(train.lengths > 1))
    held = np.sort(order[: int(held_out * len(order))])
    return train.take(held), train.take(np.setdiff1d(np.arange(len(train)), held))


def keep_best(
    state: Sequence[Array], checks: Iterable[float], patience: int
) -> tuple[tuple[Array, ...], NDArray[np.float64]]:
    """The arrays as they were at the highest check, and the checks.

    Parameters
    ----------
    state : arrays that change while `checks` is gone through; without a check they are returned themselves.
    checks : trains up to the next check, and says how good the state is then. It is left after `patience` checks that
        are not higher than one before.
    """
    best, since = tuple(state), 0
    values: list[float] = []
    for value in checks:
        since = 0 if not values or value > max(values) else since + 1
        values.append(value)
        if since == 0:
            best = tuple(array.copy() for array in state)
        elif since == patience:
            break
    return best, np.array(values)


def mean_average_precision(score: Callable[[CascadeSet], NDArray[np.float32]], cascades: CascadeSet) -> float:
    """MAP of a model on cascades with recipients, asked with their sources; ties count against it.

    The models' own: what judges the finished model, `cascurve.metrics`, is not theirs to know.
    """
    sources, rows = np.unique(cascades.sources, return_inverse=True)
    scores = score(CascadeSet(cascades.n_users, np.arange(len(sources) + 1), sources))
    return float(_average_precision(scores, rows, cascades.offsets, cascades.users).mean())


@njit(cache=True)
def _average_precision(
    scores: NDArray[np.float32], rows: NDArray[np.int64], offsets: NDArray[np.int64], users: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Per cascade; a recipient's rank is the number of users but the source that score as high as it does."""
    values = np.zeros(len(rows))
    for cascade in range(len(rows)):
        row, source = scores[rows[cascade]], users[offsets[cascade]]
        recipients = users[offsets[cascade] + 1 : offsets[cascade + 1]]
        for user in recipients:
            rank, hits = 0, 0
            for other in range(len(row)):
                rank += row[other] >= row[user]
            rank -= row[source] >= row[user]
            for other in recipients:
                hits += row[other] >= row[user]
            values[cascade] += hits / max(rank, 1) / len(recipients)
    return values
