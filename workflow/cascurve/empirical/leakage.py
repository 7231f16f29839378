"""Does the training part know what the test part asks?"""

from dataclasses import dataclass

import numpy as np

from cascurve.cascades import CascadeSet


@dataclass(frozen=True)
class Leakage:
    """What a split lets through.

    Attributes
    ----------
    same : test cascades whose users, in this order, are a training cascade too.
    later : training cascades that begin after the first test cascade begins; None where there are no times.
    n_train, n_test : sizes of the parts.
    """

    same: int
    later: int | None
    n_train: int
    n_test: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence per kind of leak that there is."""
        found = []
        if self.same:
            found.append(f"{self.same} of {self.n_test} test cascades are also in training")
        if self.later:
            found.append(
                f"{self.later} of {self.n_train} training cascades begin after the first test cascade does: "
                "what is learned includes the future"
            )
        return tuple(found)


def check(train: CascadeSet, test: CascadeSet) -> Leakage:
    """Look for the same cascade in both parts, and for the future in training."""
    known = {cascade.tobytes() for cascade in train}
    same = sum(cascade.tobytes() in known for cascade in test)
    later = None
    if train.times is not None and test.times is not None and len(test):
        first = test.times[test.offsets[:-1]].min()
        later = int(np.count_nonzero(train.times[train.offsets[:-1]] > first))
    return Leakage(same, later, len(train), len(test))
