"""The tables of docs/difficulty.md are those that the code makes, and they say what the page says."""

from pathlib import Path

import numpy as np
import pytest
from tests.disorder import bias_table

PAGE = (Path(__file__).parents[2] / "docs" / "difficulty.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_empirical_bayes_has_the_smallest_worst_error_at_every_size() -> None:
    found = bias_table.errors()
    worst = np.abs(found.mean(axis=2)).max(axis=0)
    assert (worst.argmin(axis=1) == list(bias_table.ESTIMATES).index("empirical Bayes (`apce_bayes`)")).all()
    assert bias_table.bias_table(found) in PAGE


@pytest.mark.slow
def test_standard_errors_are_near_the_true_spread() -> None:
    found = bias_table.standard_errors()
    ratio = found[1:] / found[0]
    assert ratio.min() > 0.75 and ratio.max() < 1.4
    assert bias_table.error_table(found) in PAGE
