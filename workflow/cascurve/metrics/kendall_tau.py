"""Kendall's tau between the true order of the recipients and the predicted one."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.metrics.relevant_ranks import RelevantRanks


def column() -> str:
    """Name of the output column."""
    return "kendall_tau"


def score(ranks: RelevantRanks) -> NDArray[np.float64]:
    """(concordant - discordant pairs) / all pairs of recipients; shape (m,).

    Tied pairs count 0, the expectation over their order (tau-a). Recipients that are not ranked stand below all
    others and are tied among themselves. NaN where a cascade has fewer than two recipients.
    """
    return _tau(ranks.recipient_offsets, ranks.recipient_group, ranks.offsets, ranks.relevant_above, ranks.relevant)


@njit(cache=True)
def _tau(
    recipient_offsets: NDArray[np.int64],
    recipient_group: NDArray[np.int32],
    offsets: NDArray[np.int64],
    relevant_above: NDArray[np.int32],
    relevant: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Recipients come in the true order; each sets the bit of its predicted place and counts the bits before it."""
    lengths = recipient_offsets[1:] - recipient_offsets[:-1]
    longest = lengths.max() if len(lengths) else 0
    taken = np.empty(longest // 64 + 1, np.uint64)
    next_free = np.empty(longest, np.uint32)  # place of a group's next recipient
    tau = np.full(len(lengths), np.nan)
    for cascade in range(len(tau)):
        n = lengths[cascade]
        if n < 2:
            continue
        first, last = offsets[cascade], offsets[cascade + 1]
        groups = recipient_group[recipient_offsets[cascade] : recipient_offsets[cascade + 1]]
        taken[: n // 64 + 1] = 0
        next_free[: last - first] = relevant_above[first:last]
        concordant, ranked = 0, 0
        for group in groups:
            if group < 0:
                concordant += ranked
                continue
            concordant += _count_below(taken, np.uint32(relevant_above[np.uint32(group)]))
            own = np.uint32(group - first)
            place = next_free[own]
            next_free[own] = np.uint32(place + np.uint32(1))
            taken[place >> np.uint32(6)] |= np.uint64(1) << np.uint64(place & np.uint32(63))
            ranked += 1
        tied = (n - ranked) * (n - ranked - 1) // 2
        for g in range(np.uint64(first), np.uint64(last)):
            tied += relevant[g] * (relevant[g] - 1) // 2
        pairs = n * (n - 1) // 2
        tau[cascade] = (2 * concordant + tied - pairs) / pairs
    return tau


@njit(cache=True)
def _count_below(bits: NDArray[np.uint64], place: Any) -> Any:
    """How many bits are set before `place`."""
    whole = place >> np.uint32(6)
    count = np.uint64(0)
    for word in range(whole):
        count += _ones(bits[word])
    before = (np.uint64(1) << np.uint64(place & np.uint32(63))) - np.uint64(1)
    return np.int64(count + _ones(bits[whole] & before))


@njit(cache=True)
def _ones(word: Any) -> Any:
    """Bits that are set in a uint64; LLVM knows the pattern, and takes the processor's instruction."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)
