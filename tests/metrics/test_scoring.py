"""Measures by name."""

import numpy as np
import pytest

from cascurve import plugins
from cascurve.cascades import CascadeSet
from cascurve.errors import ConfigError, UnknownNameError
from cascurve.metrics.scoring import conventions, score_cascades

TEST = CascadeSet.of([[0, 1, 2], [0]], 4)
SCORES = np.array([[np.nan, 3, 1, 2]], np.float32)


def test_one_column_per_measure() -> None:
    measures = {"average_precision": {}, "cut": {"use": "average_precision", "k": 1, "denominator": "min"}}
    values = score_cascades(SCORES, TEST, [0, 0], measures)
    assert list(values) == ["ap", "ap@1[min]"]
    np.testing.assert_allclose(values["ap"], [(1 + 2 / 3) / 2, np.nan])
    np.testing.assert_allclose(values["ap@1[min]"], [1, np.nan])


def test_faults_are_named() -> None:
    with pytest.raises(UnknownNameError, match=r"no metrics module 'map'.*measures\.map.*average_precision"):
        score_cascades(SCORES, TEST, [0, 0], {"map": {}})
    with pytest.raises(ConfigError, match=r"'measures\.again': found 'ap'"):
        score_cascades(SCORES, TEST, [0, 0], {"average_precision": {}, "again": {"use": "average_precision"}})


def test_missing_and_unknown_parameters_are_named() -> None:
    with pytest.raises(ConfigError, match=r"'measures\.precision\.k': found None"):
        score_cascades(SCORES, TEST, [0, 0], {"precision": {}})
    with pytest.raises(ConfigError, match=r"'measures\.recall\.cut': found 3, expected one of \['k'\]"):
        score_cascades(SCORES, TEST, [0, 0], {"recall": {"cut": 3}})


def test_conventions_state_everything_that_a_column_depends_on() -> None:
    stated = conventions({"average_precision": {}, "cut": {"use": "average_precision", "k": 1, "denominator": "min"}})
    assert list(stated) == ["ap", "ap@1[min]"]
    assert stated["ap"]["parameters"] == {"k": None, "denominator": "truth"}
    assert stated["ap@1[min]"] == stated["ap"] | {"parameters": {"k": 1, "denominator": "min"}}


ALL = {name: {"k": 2} if name in ("precision", "f1", "success") else {} for name in plugins.names("metrics")}


def test_every_measure_gives_one_value_per_cascade_and_none_without_recipients() -> None:
    scores = np.array([[np.nan, 0.3, 0.1, 0.2]], np.float32)
    values = score_cascades(scores, TEST, [0, 0], ALL)
    assert len(values) == len(ALL)
    for name, column in values.items():
        assert column.shape == (2,), name
        assert np.isfinite(column[0]) and np.isnan(column[1]), name


def test_every_measure_survives_a_query_without_candidates() -> None:
    scores = np.full((1, 4), np.nan, np.float32)
    for name, column in score_cascades(scores, TEST, [0, 0], ALL).items():
        assert column[0] == 0 or np.isnan(column[0]), name


def test_results_do_not_depend_on_order_or_company() -> None:
    rng = np.random.default_rng(1)
    scores = rng.random((3, 30)).astype(np.float32).round(1)
    scores[np.arange(3), np.arange(3)] = np.nan
    test = CascadeSet.of([[q, *rng.choice(np.arange(3, 30), 5, replace=False)] for q in (0, 2, 1, 0, 2)], 30)
    whole = score_cascades(scores, test, test.sources, ALL)
    backwards = score_cascades(scores, test.take([4, 3, 2, 1, 0]), test.sources[::-1], ALL)
    for i in range(5):
        alone = score_cascades(scores[test.sources[i]][None], test.take([i]), [0], ALL)
        for name in whole:
            assert whole[name][i] == alone[name][0] == backwards[name][4 - i], name
