"""Success at k, which the diffusion literature calls hits@k: whether any recipient is among the first k."""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.cuts import cut_name, cuts
from cascurve.metrics.gains import where_defined
from cascurve.metrics.relevant_ranks import RelevantRanks


def column(*, k: int | Literal["R"]) -> str:
    """Name of the output column."""
    return f"success{cut_name(k)}"


def score(ranks: RelevantRanks, *, k: int | Literal["R"]) -> NDArray[np.float64]:
    """Probability, over the order of ties, of a recipient among the first k ranks; shape (m,).

    NaN where there is no recipient.
    """
    return where_defined(_any(ranks.offsets, ranks.above, ranks.size, ranks.relevant, cuts(ranks, k)), ranks)


@njit(cache=True)
def _any(
    offsets: NDArray[np.int64],
    above: NDArray[np.int32],
    size: NDArray[np.int32],
    relevant: NDArray[np.int32],
    kept: NDArray[np.int64],
) -> NDArray[np.float64]:
    chance = np.zeros(len(offsets) - 1)
    for cascade in range(len(chance)):
        best = offsets[cascade]
        if best < offsets[cascade + 1] and above[best] < kept[cascade]:
            places = min(size[best], kept[cascade] - above[best])
            none = 1.0
            for other in range(relevant[best]):  # each recipient in turn falls behind the cut
                none *= max(size[best] - places - other, 0) / (size[best] - other)
            chance[cascade] = 1.0 - none
    return chance
