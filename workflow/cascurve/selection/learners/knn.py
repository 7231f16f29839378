"""Nearest neighbours, one model per number of neighbours k."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.examples import Examples, encode

BLOCK = 2000
PRECISION = 1e9


@dataclass(frozen=True)
class Model:
    """k-NN by Euclidean distance, attributes in [0, 1]; among equal distances the earlier training example.

    Parameters
    ----------
    neighbours : k of each model, the paper's list; those beyond the number of training examples are left out.
    """

    neighbours: tuple[int, ...] = (5, 10, 20, 30, 50, 100, 150, 200, 250, 300)

    def predict(self, train: Examples, test: Examples, seed: int) -> dict[str, NDArray[np.float64]]:
        """Model -> share of positives among the neighbours of each test example; `seed` is not used."""
        known, asked = encode(train, test)
        usable = [k for k in self.neighbours if k <= len(known)]
        most = max(usable)
        square = np.sum(known**2, axis=1)
        votes = np.empty((len(asked), most), np.int64)
        for start in range(0, len(asked), BLOCK):
            block = asked[start : start + BLOCK]
            # Rounded, so that ties do not hang on the last bit; as one number with the example's place, so that a
            # partial sort settles them.
            nearness = np.rint((square[None] - 2 * block @ known.T) * PRECISION).astype(np.int64)
            keys = np.partition(nearness * len(known) + np.arange(len(known)), most - 1, axis=1)[:, :most]
            votes[start : start + BLOCK] = train.positive[np.sort(keys, axis=1) % len(known)]
        counted = np.cumsum(votes, axis=1)
        return {f"k={k}": counted[:, k - 1] / k for k in usable}
