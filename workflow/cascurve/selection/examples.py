"""`Examples`: a binary classification problem, and how the paper cuts it into training and test sets."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.errors import DataError


@dataclass(frozen=True)
class Examples:
    """Examples of two classes.

    Attributes
    ----------
    attributes : float64, shape (n, d); a nominal attribute holds codes 0, 1, ….
    nominal : bool, shape (d,).
    positive : bool, shape (n,).
    """

    attributes: NDArray[np.float64]
    nominal: NDArray[np.bool_]
    positive: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.positive)

    def take(self, index: NDArray[np.int64]) -> "Examples":
        """The examples with these indices."""
        return Examples(self.attributes[index], self.nominal, self.positive[index])


def encode(train: Examples, test: Examples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numbers for learners that know no nominal attributes: each shape (n, columns).

    Numeric attributes are mapped to [0, 1] by their range in training, as Weka's SMO and IBk do; a nominal one becomes
    a column per value that occurs in either part.
    """
    low, high = train.attributes.min(axis=0), train.attributes.max(axis=0)
    parts: tuple[list[NDArray[np.float64]], ...] = ([], [])
    for column, is_nominal in enumerate(train.nominal):
        both = [part.attributes[:, column] for part in (train, test)]
        known = np.unique(np.concatenate(both)) if is_nominal else None
        span = (high[column] - low[column]) or 1.0
        for list_of, values in zip(parts, both, strict=True):
            scaled = (values[:, None] - low[column]) / span
            list_of.append(scaled if known is None else (values[:, None] == known).astype(np.float64))
    return np.hstack(parts[0]), np.hstack(parts[1])


@dataclass(frozen=True)
class Cut:
    """One training subset and the small test sets from the rest.

    Attributes
    ----------
    train : indices of the training examples.
    tests : indices, shape (tests, size); the first `n_positive` of each test set are the positive ones.
    """

    train: NDArray[np.int64]
    tests: NDArray[np.int64]
    n_positive: int


def cuts(positive: NDArray[np.bool_], *, subsets: int, tests: int, rng: np.random.Generator) -> Iterator[Cut]:
    """The paper's process: equal stratified subsets, each in turn for training; the rest in stratified test sets.

    All test sets are exactly of one size with one number of positives; the few examples left over are not used.

    Raises
    ------
    DataError : where there are too few examples for one of each class in every test set.
    """
    classes = [rng.permutation(np.flatnonzero(positive == value)) for value in (True, False)]
    folds = [np.array_split(members, subsets) for members in classes]
    for subset in range(subsets):
        rest = [np.concatenate([part for k, part in enumerate(fold) if k != subset]) for fold in folds]
        sizes = [len(members) // tests for members in rest]
        if min(sizes) < 1:
            raise DataError(
                f"expected at least {tests} positive and {tests} negative examples outside the training subset, found "
                f"{len(rest[0])} and {len(rest[1])}",
                remedy="lower selection.classifiers.tests, or take a larger data set",
            )
        dealt = [
            rng.permutation(members)[: tests * size].reshape(tests, size)
            for members, size in zip(rest, sizes, strict=True)
        ]
        train = np.concatenate([folds[0][subset], folds[1][subset]])
        yield Cut(train, np.concatenate(dealt, axis=1), sizes[0])
