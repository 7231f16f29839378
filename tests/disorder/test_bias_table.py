"""The tables of docs/difficulty.md are those that the code makes, and they say what the page says."""

from pathlib import Path

import numpy as np
import pytest
from tests.disorder import bias_table

PAGE = (Path(__file__).parents[2] / "docs" / "difficulty.md").read_text(encoding="utf-8")


BEST = list(bias_table.ESTIMATES).index("empirical Bayes (`apce_bayes`)")


def check(found: np.ndarray, table: str) -> None:
    """Empirical Bayes has the smallest worst and mean square error in every column, and the page has the table."""
    worst = np.abs(found.mean(axis=2)).max(axis=0)
    rms = np.sqrt((found**2).mean(axis=(0, 2)))
    assert (worst.argmin(axis=1) == BEST).all()
    assert (rms.argmin(axis=1) == BEST).all()
    assert table in PAGE


@pytest.mark.slow
@pytest.mark.parametrize("grid", [bias_table.CHOSEN, bias_table.FRESH], ids=["chosen", "fresh"])
def test_empirical_bayes_has_the_smallest_error_at_every_size(grid: bias_table.Grid) -> None:
    found = bias_table.errors(grid)
    check(found, bias_table.bias_table(found))


@pytest.mark.slow
def test_empirical_bayes_has_the_smallest_error_on_real_cascades(shared_data: Path) -> None:
    found = bias_table.real_errors(shared_data)
    check(found, bias_table.bias_table(found, bias_table.REAL_HEADS))


@pytest.mark.slow
def test_bootstrap_has_the_true_spread_and_the_jackknife_is_cautious() -> None:
    found = bias_table.standard_errors()
    jackknife, bootstrap = found[1:] / found[0]
    assert bootstrap.min() > 0.85
    assert bootstrap.max() < 1.15
    assert jackknife.min() > 0.95
    assert jackknife.max() < 1.6
    assert bias_table.error_table(found) in PAGE
