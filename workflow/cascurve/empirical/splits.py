"""Which cascades are for test: decided before anything is drawn or learned."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cascurve.empirical.places import random_places
from cascurve.errors import CellError, ConfigError
from cascurve.formats.imported import Imported

Split = Literal["random", "given", "chronological", "source"]


def test_cascades(
    imported: Imported, eligible: NDArray[np.int64], *, split: Split, test_share: float, key: np.uint64
) -> NDArray[np.bool_]:
    """Which of the eligible cascades are for test; mask, shape (eligible,).

    Parameters
    ----------
    eligible : indices of cascades.
    split : "random": each cascade has a fixed random place in line, and the first `test_share` of the eligible
        ones are for test. "given": the part "test" against all others. "chronological": those that start last.
        "source": whole sources in random order, until `test_share` of the cascades is reached.
    key : of the random places; a cascade's place does not depend on which others are eligible.

    Raises
    ------
    ConfigError : the files do not support the split.
    CellError : a given split leaves no test cascade.
    """
    if not 0 < test_share < 1:
        raise ConfigError("subsample.test_share", test_share, "a number above 0 and below 1")
    if split == "given":
        if "test" not in imported.parts or len(imported.parts) == 1:
            parts = ", ".join(imported.parts)
            raise ConfigError("subsample.split", split, f"files given as parts train and test, not only: {parts}")
        return imported.in_part("test")[eligible]
    wanted = max(1, round(test_share * len(eligible)))
    if wanted >= len(eligible):
        raise CellError(f"{len(eligible)} cascades cannot be split into training and test")
    if split == "chronological":
        cascades = imported.cascades
        if cascades.times is None:
            raise ConfigError("subsample.split", split, "a split that needs no times; the cascades have none")
        starts = cascades.times[cascades.offsets[:-1]][eligible]
        return _first_in_line(-starts, wanted)
    if split == "source":
        sources = imported.cascades.sources[eligible]
        return _whole_groups(random_places(key, sources.astype(np.int64)), wanted)
    return _first_in_line(random_places(key, eligible), wanted)


def _first_in_line(places: NDArray[np.float64], wanted: int) -> NDArray[np.bool_]:
    """Mask of the `wanted` smallest; the later one of equals is taken, as in a file ordered by time."""
    chosen = np.zeros(len(places), np.bool_)
    chosen[np.lexsort((-np.arange(len(places)), places))[:wanted]] = True
    return chosen


def _whole_groups(places: NDArray[np.float64], wanted: int) -> NDArray[np.bool_]:
    """Mask of the groups (equal place) first in line, until `wanted` members are reached."""
    distinct, sizes = np.unique(places, return_counts=True)
    groups = int(np.searchsorted(np.cumsum(sizes), wanted)) + 1
    return places < distinct[groups] if groups < len(distinct) else places < distinct[-1]
