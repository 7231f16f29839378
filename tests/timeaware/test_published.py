"""What can be recomputed from the results that were published for TREC KBA 2012 (29 entities, 9 runs)."""

from collections import defaultdict

import numpy as np
import pytest

from cascurve.timeaware.cells import Cells, cells_of, mean_over_entities
from cascurve.timeaware.series import weight_moments
from cascurve.timeaware.slices import KBA_END, KBA_START, slicing

LEVELS = {"relevant+central": 11766, "central": 4408}
"""The smallest numbers of true documents that fit the published weights, as counted for the data's README."""
DAY = slicing("day", KBA_START, KBA_END)
WEEK = slicing("week", KBA_START, KBA_END)
ALL = slicing("all", KBA_START, KBA_END)


def weights(published, level: str, kind: str) -> dict[str, dict[int, tuple[float, float]]]:
    """Entity (or all) -> slice -> (mean, deviation); lower bounds are rounded to float32, to 128 seconds."""
    found: dict[str, dict[int, tuple[float, float]]] = defaultdict(dict)
    for row in published["weights_over_time"]:
        if (row["judgments"], row["intervalType"]) == (level, kind):
            step = {"day": DAY, "week": WEEK, "all": ALL}[kind]
            place = int(step.index(np.array([float(row["interval_low"]) + 200]))[0])
            found[row["entity"]][place] = (float(row["mean"]), float(row["stdev"]))
    return found


def true_documents(shown: list[float]) -> np.ndarray:
    """The fewest true documents per day that give these weights."""
    weight = np.array(shown)
    for total in range(len(weight), 5000):
        counts = weight / len(weight) * total
        whole = np.round(counts)
        rounding = total / len(weight) * (1e-6 + 1.2e-7 * weight)
        if np.all(np.abs(counts - whole) < rounding) and whole.sum() == total and whole.min() >= 1:
            return whole.astype(np.int64)
    raise AssertionError("no number of true documents fits")


@pytest.fixture(scope="module")
def cells(published) -> dict[str, dict[str, Cells]]:
    """Level -> slicing -> cells of documents that fit the published weights of days."""
    found = {}
    for level in LEVELS:
        by_day = weights(published, level, "day")
        entities = sorted(set(by_day) - {"all"})
        owner, times = [], []
        for number, entity in enumerate(entities):
            counts = true_documents([mean for mean, _ in by_day[entity].values()])
            days = np.repeat(list(by_day[entity]), counts)
            owner += [number] * len(days)
            times += (KBA_START + 86400.0 * days + 1).tolist()
        made = {step.name: cells_of(step, len(entities), owner, np.array(times))[0] for step in (ALL, WEEK, DAY)}
        found[level] = made
    return found


def entities_of(published, level: str) -> list[str]:
    return sorted(set(weights(published, level, "day")) - {"all"})


def test_overall_is_the_mean_over_entities(published) -> None:
    columns = ("all", "week", "day")
    keys = ("judgments", "weighting", "metric", "team", "run")
    by_run = defaultdict(list)
    for row in published["entity_stats"]:
        by_run[tuple(row[key] for key in keys)].append([float(row[name]) for name in columns])
    assert len(published["overall_stats"]) == 180
    for row in published["overall_stats"]:
        values = np.array(by_run[tuple(row[key] for key in keys)])
        assert len(values) == 29
        for place, name in enumerate(columns):
            assert mean_over_entities(values[:, place]) == pytest.approx(float(row[name]), abs=1e-6)


def test_all_is_the_same_under_both_weightings(published, cells) -> None:
    values = defaultdict(set)
    for row in published["entity_stats"]:
        values[tuple(row[key] for key in ("judgments", "metric", "entity", "team", "run"))].add(row["all"])
    assert {len(found) for found in values.values()} == {1}
    for level in LEVELS:
        whole = cells[level]["all"]
        np.testing.assert_array_equal(whole.weights("WEIGHTED"), whole.weights("UNIFORM"))


@pytest.mark.parametrize("level", LEVELS)
def test_the_fewest_true_documents(cells, level) -> None:
    assert int(cells[level]["all"].relevant.sum()) == LEVELS[level]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["all", "week", "day"])
def test_every_weight_of_every_entity(published, cells, level, kind) -> None:
    """Documents that fit the weights of days give those of weeks; they average to 1."""
    ours = cells[level][kind]
    theirs = weights(published, level, kind)
    for number, entity in enumerate(entities_of(published, level)):
        own = ours.only(number)
        assert own.slice.tolist() == sorted(theirs[entity])
        wanted = np.array([theirs[entity][place][0] for place in own.slice.tolist()])
        np.testing.assert_allclose(own.weights(), wanted, rtol=1.2e-7, atol=1e-6)
        assert own.weights().mean() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["all", "week", "day"])
def test_the_mean_weights_over_entities(published, cells, level, kind) -> None:
    slices, mean, spread, _ = weight_moments(cells[level][kind])
    theirs = weights(published, level, kind)["all"]
    assert slices.tolist() == sorted(theirs)
    for place, one, two in zip(slices.tolist(), mean, spread, strict=True):
        np.testing.assert_allclose([one, two], theirs[place], rtol=1.2e-7, atol=1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_correct_predictions_add_up_over_any_slices(published, cells, level) -> None:
    """A mean over an entity's own slices times their number is the same count for all, weeks and days."""
    own = {kind: cells[level][kind].own_slices for kind in ("all", "week", "day")}
    names = entities_of(published, level)
    compared = 0
    for row in published["entity_stats"]:
        if (row["judgments"], row["weighting"], row["metric"]) == (
            level,
            "UNIFORM",
            "numPosPredictions",
        ) and row["all"] != "nan":  # one run of the published tables has no values for all and day at level 2
            number = names.index(row["entity"])
            for kind in ("week", "day"):
                total = float(row[kind]) * own[kind][number]
                assert total == pytest.approx(float(row["all"]), abs=1e-4)  # means are rounded to float32
                assert round(total) == pytest.approx(float(row["all"]), abs=1e-6)
            compared += 1
    assert compared == 29 * (9 if level == "relevant+central" else 8)
