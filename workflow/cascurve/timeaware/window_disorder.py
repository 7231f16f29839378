"""Disorder of the parts of cascades that lie in a window of time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cascurve.cascades import CascadeSet
from cascurve.disorder import apce

FEWEST_PAIRS = 30
"""Pairs of users seen at least twice in a window that its corrected APCE needs.

The correction learns from these pairs how often an order turns round. With fewer, not one of them may, and the estimate
would be an order without exception that nobody has seen.
"""
COLUMNS = ("apce", "apce_bayes", "apce_bayes_se", "pair_support")


def disorder(cascades: CascadeSet, inside: NDArray[np.bool_]) -> dict[str, Any]:
    """Columns of a window: `COLUMNS`; cascades with two users or more in it, and pairs of users seen twice or more.

    Parameters
    ----------
    inside : shape (participations,). Whether each lies in the window.

    Returns
    -------
    What is unknown is None; ``apce_note`` says why the corrected value is.
    """
    owner = np.repeat(np.arange(len(cascades)), cascades.lengths)
    count = np.bincount(owner[inside], minlength=len(cascades))
    chosen = inside & (count[owner] >= 2)
    kept = count[count >= 2]
    if not len(kept):
        note = "no cascade has two users in the window"
        return {"cascades": 0, "pairs_twice": 0, "apce_note": note} | dict.fromkeys(COLUMNS)
    part = CascadeSet(cascades.n_users, np.concatenate([[0], np.cumsum(kept)]), cascades.users[chosen])
    found = apce.measure(part, rng=np.random.default_rng(0))  # the jackknife: nothing is drawn
    twice = round(found.n_pairs * (1 - found.once_share))
    row = {"cascades": len(part), "pairs_twice": twice, "apce_note": ""}
    row |= {name: _finite(getattr(found, name)) for name in COLUMNS}
    if twice < FEWEST_PAIRS:
        note = f"fewer than {FEWEST_PAIRS} pairs of users are seen twice or more"
        row |= {"apce_bayes": None, "apce_bayes_se": None, "apce_note": note}
    return row


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
