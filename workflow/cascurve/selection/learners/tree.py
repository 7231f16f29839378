"""Decision trees in the manner of C4.5, one model per smallest leaf m and pruning confidence c."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.error_pruning import leaf_probabilities
from cascurve.selection.examples import Examples, encode


@dataclass(frozen=True)
class Model:
    """Binary trees grown by entropy until leaves hold fewer than m, pruned by C4.5's expected error.

    Unlike C4.5 the split is by gain, not by gain ratio, and a nominal attribute is asked value by value.

    Parameters
    ----------
    smallest : m, the paper's list.
    confidences : c. The paper's list is not legible; this is ours, so that there are 9 models.
    """

    smallest: tuple[int, ...] = (2, 5, 10)
    confidences: tuple[float, ...] = (0.01, 0.05, 0.15)

    def predict(self, train: Examples, test: Examples, seed: int) -> dict[str, NDArray[np.float64]]:
        """Model -> share of positives in the leaf of each test example; `seed` settles ties between splits."""
        from sklearn.tree import DecisionTreeClassifier

        known, asked = encode(train, test)
        found = {}
        for least in self.smallest:
            grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=least, random_state=seed)
            grown.fit(known, train.positive)
            leaves = grown.apply(asked)
            for confidence in self.confidences:
                found[f"m={least}, c={confidence:g}"] = leaf_probabilities(grown.tree_, leaves, confidence)
        return found
