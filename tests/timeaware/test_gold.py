"""Every value that TAIA's original code gave (taia-stream-eval under Python 2.7), to 1e-6."""

import math

import numpy as np
import pytest

from cascurve.metrics import auc, ndcg
from cascurve.timeaware.lists import listed
from cascurve.timeaware.measures import METRICS, measure
from cascurve.timeaware.robustness import experiment
from cascurve.timeaware.series import performance, side_by_side, weight_moments
from cascurve.timeaware.tables import write_tables

NEAR = 1e-6


def test_every_metric_case(gold) -> None:
    compared = 0
    for case in gold["metric_cases"]["cases"]:
        ranking, relevant = case["ranking"], case["R"]
        hits = np.flatnonzero(ranking)
        if relevant == 0 or not ranking or len(hits) > relevant:
            continue  # the original never comes to such a case, or R contradicts the ranking
        ranks = listed(np.array([0, len(hits)]), hits, np.array([len(ranking)]), np.array([relevant]))
        ours = {name: values[0] for name, values in measure(ranks).items()}
        ours["nDCG"] = ndcg.score(ranks, ideal="list")[0]
        # Without a pair to compare the original's AUC is one half
        ours["AUC"] = np.nan_to_num(auc.score(ranks, missed="ignored"), nan=0.5)[0]
        for name, value in case["out"].items():
            if not math.isnan(float(value)):
                assert ours[name] == pytest.approx(float(value), abs=1e-12), (case["name"], name)
                compared += 1
    assert compared > 330


def test_a_slice_without_predictions_is_zero_and_one_without_truth_has_no_value() -> None:
    ranks = listed(np.array([0, 0, 0]), np.array([], np.int64), np.array([0, 3]), np.array([3, 0]))
    for name, values in measure(ranks).items():
        assert values[0] == 0, name
        assert np.isnan(values[1]), name


def test_collapsed_judgments(gold, judgments) -> None:
    ours = {
        (judgments.entities[entity], judgments.labels.text(document), label, time)
        for entity, document, label, time in zip(
            judgments.entity, judgments.document, judgments.label, judgments.time, strict=True
        )
        if label > 0
    }
    theirs = gold["pipeline_tiny"]["collapsed"]["rows"]
    assert ours == {(entity, document, float(label), float(time)) for _, document, entity, _, label, time in theirs}


def test_every_slice(gold, evaluations) -> None:
    for evaluation in evaluations:
        for slicing, rows in gold["pipeline_tiny"][f"judgmentLevel_{evaluation.level}"]["slices_by_type"].items():
            cells = evaluation.cells[slicing]
            place = {
                (evaluation.entities[entity], low): i
                for i, (entity, low) in enumerate(zip(cells.entity, cells.lows, strict=True))
            }
            stated = {(team, run, place.get((entity, low)), metric) for team, run, entity, low, _, metric, _ in rows}
            for team, run, entity, low, up, metric, value in rows:
                if (entity, low) not in place:  # nothing is true there, only predicted
                    assert metric in ("numPredictions", "numNeg")
                    idle = evaluation.runs[team, run][slicing].idle
                    at = int(cells.slicing.index(np.array([low]))[0])
                    assert (evaluation.entities.index(entity), at, value) in idle
                    continue
                i = place[entity, low]
                assert low + cells.slicing.width == up
                assert counted(evaluation, (team, run), slicing, i, metric) == pytest.approx(value, abs=NEAR)
            for run, by_slicing in evaluation.runs.items():  # what is left out there is 0
                for i in range(len(cells)):
                    assert cells.relevant[i] > 0
                    for name in METRICS:
                        if (*run, i, name) not in stated:
                            assert by_slicing[slicing].values[name][i] == 0


def counted(evaluation, run, slicing: str, i: int, metric: str) -> float:
    measured, relevant = evaluation.runs[run][slicing], evaluation.cells[slicing].relevant[i]
    if metric == "numPos":
        return relevant
    if metric == "numPredictions":
        return measured.predictions[i]
    if metric == "numNeg":
        return measured.predictions[i] - relevant
    return measured.values[metric][i]


def test_every_table_as_written(gold, evaluations, tmp_path) -> None:
    for evaluation in evaluations:
        theirs = gold["pipeline_tiny"][f"judgmentLevel_{evaluation.level}"]
        write_tables(evaluation, tmp_path)
        for weighting, by_metric in theirs["overall_stats"].items():
            for metric, rows in by_metric.items():
                file = f"overall_stats/{metric}_total_stats_{evaluation.level_name}_{weighting}.tsv"
                assert_rows(tmp_path / file, rows)
        for weighting, by_metric in theirs["entity_stats"].items():
            for metric, by_entity in by_metric.items():
                for entity, rows in by_entity.items():
                    name = f"{metric}_entity_stats_{entity}_{evaluation.level_name}_{weighting}.tsv"
                    assert_rows(tmp_path / "entity_stats" / name, rows)


def assert_rows(path, rows: dict[str, list[float]]) -> None:
    """The file has these rows, best by week first."""
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    assert {"/".join(line[:2]) for line in lines} == set(rows)
    for line in lines:
        np.testing.assert_allclose(np.array(line[2:], float), rows["/".join(line[:2])], rtol=0, atol=NEAR)
    weeks = [float(line[3]) for line in lines]
    assert weeks == sorted(weeks, reverse=True)


def test_every_weight(gold, evaluations, tmp_path) -> None:
    for evaluation in evaluations:
        theirs = {}
        for name, low, mean, spread, slicing in gold["pipeline_tiny"][f"judgmentLevel_{evaluation.level}"]["weights"][
            "rows"
        ]:
            theirs[name, np.float32(low), slicing] = (mean, spread)
        write_tables(evaluation, tmp_path)
        path = tmp_path / "aggregation_weights" / f"_weights_over_time_{evaluation.level_name}.tsv"
        ours = {}
        for line in path.read_text().splitlines():
            name, low, unjudged, level, metric, mean, spread, slicing = line.split("\t")
            assert (unjudged, int(level), metric) == ("neg", evaluation.level, "weight")
            ours[name, np.float32(low), slicing] = (float(mean), float(spread))
        assert ours.keys() == theirs.keys()
        for key, values in theirs.items():
            np.testing.assert_allclose(ours[key], values, rtol=0, atol=2 * NEAR)  # both are rounded to 6 digits
        exact = weight_moments(evaluation.cells["week"], None)[1]
        wanted = [v[0] for (name, _, slicing), v in theirs.items() if (name, slicing) == ("all", "week")]
        np.testing.assert_allclose(exact, wanted, rtol=0, atol=NEAR)


def test_every_plotted_series(gold, evaluations) -> None:
    compared = 0
    for evaluation in evaluations:
        for plot in gold["pipeline_tiny"][f"judgmentLevel_{evaluation.level}"]["plotted"]:
            found = drawn(evaluation, plot["file"].removesuffix(".pdf"))
            # For fewer than four values the original's moving average has more points than days and cannot be drawn.
            calls = [c for c in plot["calls"] if c[0] in ("plot", "scatter") and len(c[1]) == len(c[2])]
            assert len(found) == len(calls)
            for (x, y), (_, wanted_x, wanted_y, *_) in zip(found, calls, strict=True):
                np.testing.assert_allclose(x, wanted_x, rtol=0, atol=NEAR)
                np.testing.assert_allclose(y, wanted_y, rtol=0, atol=NEAR)
                compared += 1
    assert compared > 120


def drawn(evaluation, file: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The series of a published plot, in the order in which the original draws them."""
    if "sidebyside" not in file:
        _, slicing, metric, *_ = file.split("_")
        weighting = file.rpartition("_")[2]
        lines = [performance(evaluation, run, slicing, metric, weighting) for run in evaluation.runs]
        return [(line.x, line.y) for line in lines]
    _, _, rest = file.partition("_sidebyside_")
    metric, _, entity = rest.partition("_")
    found = []
    for weighting in ("UNIFORM", "WEIGHTED"):
        for run in evaluation.runs:
            number = evaluation.entities.index(entity)
            points = side_by_side(evaluation, run, "day", metric, number, weighting)
            found.append((points.x, points.y))
            if points.smoothed() is not None:
                found.append((points.x, points.smoothed()))
    return found


def test_robustness_within_four_standard_errors(gold) -> None:
    ours = {
        (cell.true, cell.other, cell.perturbation): cell for cell in experiment(np.random.default_rng(5), rankings=4000)
    }
    cells = gold["robustness"]["cells"]
    assert len(cells) == len(ours) == 18
    for cell in cells:
        own = ours[cell["gt"], cell["gf"], cell["perturbation"]]
        for name, mean in cell["mean"].items():
            error = math.hypot(cell["sem"][name], own.error[name])
            assert abs(own.mean[name] - mean) <= 4 * error + 1e-12, (cell["gt"], cell["gf"], cell["perturbation"], name)
