"""Tolerance-ratio curves: how often a measure comes within x % of the best measure (the paper's Figures 1 to 3)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def tolerance_ratios(
    ability: NDArray[np.float64], tolerances: Sequence[float], contenders: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Share of cases in which each measure's MSA is at least (1 - x/100) of the greatest; shape (x, measures).

    Parameters
    ----------
    ability : shape (cases, measures): MSA; NaN = no value, which counts as not within. Cases without any are left out.
    tolerances : x, in percent.
    contenders : shape (measures,): those that the greatest is taken over; a control is none. None = all.
    """
    chosen = np.ones(ability.shape[1], bool) if contenders is None else contenders
    known = ~np.isnan(ability[:, chosen]).all(axis=1)
    cases = ability[known]
    if not len(cases):
        return np.full((len(tolerances), ability.shape[1]), np.nan)
    best = np.nanmax(cases[:, chosen], axis=1)[:, None]
    shares = [np.mean(cases >= (1 - x / 100) * best - 1e-12, axis=0) for x in tolerances]  # NaN compares false
    return np.array(shares)
