"""Measures by name."""

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError, UnknownNameError
from cascurve.metrics.scoring import score_cascades

TEST = CascadeSet.of([[0, 1, 2], [0]], 4)
SCORES = np.array([[np.nan, 3, 1, 2]], np.float32)


def test_one_column_per_measure() -> None:
    measures = {"average_precision": {}, "cut": {"use": "average_precision", "k": 1, "denominator": "min"}}
    values = score_cascades(SCORES, TEST, [0, 0], measures)
    assert list(values) == ["ap", "ap@1[min]"]
    np.testing.assert_allclose(values["ap"], [(1 + 2 / 3) / 2, np.nan])
    np.testing.assert_allclose(values["ap@1[min]"], [1, np.nan])


def test_faults_are_named() -> None:
    with pytest.raises(UnknownNameError, match="no metrics module 'map'.*config key 'measures.map'.*average_precision"):
        score_cascades(SCORES, TEST, [0, 0], {"map": {}})
    with pytest.raises(ConfigError, match="'measures.again': found 'ap'"):
        score_cascades(SCORES, TEST, [0, 0], {"average_precision": {}, "again": {"use": "average_precision"}})
