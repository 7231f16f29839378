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
    later : training cascades that begin after the first test cascade begins; None where that cannot be told: there
        are no times, or all cascades begin at the same one, since times count from each cascade's begin.
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

    @property
    def said(self) -> str:
        """The warnings, or that there are none, and what could not be checked."""
        unknown = "whether training knows the future cannot be told, since no two cascades begin at different times"
        return "; ".join([*(self.warnings or ["no leak found"]), *([unknown] if self.later is None else [])])


def check(train: CascadeSet, test: CascadeSet) -> Leakage:
    """Look for the same cascade in both parts, and for the future in training."""
    known = {cascade.tobytes() for cascade in train}
    same = sum(cascade.tobytes() in known for cascade in test)
    later = None
    if train.times is not None and test.times is not None and len(test):
        learned, asked = (part.times[part.offsets[:-1]] for part in (train, test) if part.times is not None)
        if len(np.unique(np.concatenate([learned, asked]))) > 1:
            later = int(np.count_nonzero(learned > asked.min()))
    return Leakage(same, later, len(train), len(test))
