"""Support vector machines with the polynomial kernel of degree 2, one model per regularisation C."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.selection.examples import Examples, encode
from cascurve.selection.platt import platt


@dataclass(frozen=True)
class Model:
    """SVM. The kernel is (x·y)², attributes in [0, 1], probabilities by Platt's sigmoid, as in Weka's SMO.

    Parameters
    ----------
    costs : C of each model. The paper's list is not legible but for 10^-6, 10^-5 and one that ends in 5; this is ours.
    """

    costs: tuple[float, ...] = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1.0, 10.0, 100.0)

    def predict(self, train: Examples, test: Examples, seed: int) -> dict[str, NDArray[np.float64]]:
        """Model -> probability of the positive class for each test example; `seed` is not used."""
        from sklearn.svm import SVC

        known, asked = encode(train, test)
        kernel, kernel_asked = (known @ known.T) ** 2, (asked @ known.T) ** 2
        found = {}
        for cost in self.costs:
            machine = SVC(C=cost, kernel="precomputed").fit(kernel, train.positive)
            weights = np.zeros(len(known))
            weights[machine.support_] = machine.dual_coef_[0]
            found[f"C={cost:g}"] = platt(kernel @ weights, train.positive, kernel_asked @ weights)
        return found
