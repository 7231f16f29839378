"""Splits by source: whole sources, at random, as few as reach the share."""

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.empirical import splits
from cascurve.formats.imported import Imported


def by_source(sources: list[int], key: int, share: float) -> np.ndarray:
    cascades = CascadeSet.of([[source, 99] for source in sources], 100)
    eligible = np.arange(len(sources))
    return splits.test_cascades(Imported.of(cascades), eligible, split="source", test_share=share, key=np.uint64(key))


def test_sources_are_whole_and_no_more_than_the_share_asks_for() -> None:
    """Ten sources with four cascades each, a share of 30 %: three sources."""
    sources = np.arange(40) % 10
    for key in range(20):
        chosen = set(sources[test := by_source(sources.tolist(), key, 0.3)])
        assert (len(chosen), np.count_nonzero(test)) == (3, 12)


def test_the_key_chooses_the_sources_and_each_as_often() -> None:
    counts = sum(by_source(list(range(10)), key, 0.3).astype(int) for key in range(1000))
    assert np.all(np.abs(counts / 1000 - 0.3) < 5 * np.sqrt(0.21 / 1000))


@pytest.mark.parametrize("key", range(8))  # either source may be the first in line
def test_the_last_source_stays_for_training(key) -> None:
    test = by_source([3, 3, 3, 3, 8], key, 0.8)
    assert 0 < np.count_nonzero(test) < 5
