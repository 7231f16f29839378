"""From kept scores and from a file of examples to the tables, figures and sentences on the measures."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from cascurve import plugins
from cascurve.figures.selection import few_cascades
from cascurve.report.selection import answers, selection_section
from cascurve.selection.measures import GOALS, MEASURES
from cascurve.stages import classify, selection_classifiers, selection_diffusion, selection_figure
from cascurve.storage import write_table

CASCADES, SOURCES = 120, 12
SPEC: dict[str, Any] = {
    "seed": 1,
    "candidates": {"family": ["a", "b", "c"]},
    "kinds": {"family": "one model"},
    "goals": ["map", "smap"],
    "measures": {"auc": {"use": "auc"}, "rms": {"use": "rms"}},
    "sizes": [1, 8],
    "tests": 50,
    "repeats": 3,
    "ties": "half",
    "control": None,
    "tolerances": [1, 5],
}


def scores_of(folder: Path, networks: int) -> list[str]:
    """Three models whose AP differs by a little noise, AUC the same with less noise, RMS without a value for one."""
    files = []
    for k in range(networks):
        rng = np.random.default_rng(k)
        parts = []
        for length in (5, 10):
            for place, model in enumerate("abc"):
                truth = 0.3 + 0.1 * place + rng.normal(0, 0.3, CASCADES)
                columns = {
                    "model": pa.array([model] * CASCADES),
                    "length": np.full(CASCADES, length, np.int32),
                    "cascade": np.arange(CASCADES, dtype=np.int32),
                    "source": np.repeat(np.arange(SOURCES, dtype=np.int32), CASCADES // SOURCES),
                    "ap": truth,
                    "auc": 0.3 + 0.1 * place + rng.normal(0, 0.1, CASCADES),
                    "rms": np.full(CASCADES, np.nan) if model == "c" else 1 - truth,
                }
                parts.append(pa.table(columns))
        where = folder / f"topology=er/n={100 + k}/degree=4/mechanism=ic/replicate=0/lengths=5-10/scores.parquet"
        write_table(pa.concat_tables(parts), where, "scores", failed={})
        files.append(str(where))
    return files


def one(rows: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    found = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    assert len(found) == 1
    return found[0]


@pytest.fixture(scope="module")
def diffusion(tmp_path_factory: pytest.TempPathFactory) -> tuple[pa.Table, pa.Table]:
    return selection_diffusion.run(SPEC, scores_of(tmp_path_factory.mktemp("scores"), 6))


def test_a_steadier_measure_picks_better_and_intervals_say_so(diffusion) -> None:
    rows = diffusion[1].to_pylist()
    place = {"by": "overall", "candidates": "family", "goal": "map", "m": 1}
    own, steady, partial = (one(rows, **place, measure=name) for name in ("map", "auc", "rms"))
    assert own["gain"] == own["gain_low"] == own["gain_high"] == 0 or np.isnan(own["gain_low"])
    assert steady["msa"] > own["msa"] + 0.1
    assert steady["gain_low"] > 0
    assert steady["interval"] == "networks"
    assert steady["networks"] == 6
    assert (own["n_pairs"], partial["n_pairs"]) == (3, 1)  # one model has no RMS
    assert partial["gain"] == pytest.approx(0, abs=1e-9)  # where it has, less RMS is more AP
    later = one(rows, **(place | {"m": 8}), measure="map")
    assert later["msa"] > own["msa"]
    said = answers(rows)
    assert [text.split(":")[0] for text in said] == ["family (one model), 1 cascade", "family (one model), 8 cascades"]
    assert "auc picks the better model in" in said[0]
    assert "(means over map, smap; 3 pairs of models in each of" in said[0]
    assert "Shown to be better than the goal itself for: map, smap." in said[0]


def test_lengths_stand_alone_and_together(diffusion) -> None:
    cells, summary = (table.to_pylist() for table in diffusion)
    assert {row["length"] for row in cells} == {5, 10, 0}
    assert {(row["by"], row["level"]) for row in summary} == {
        ("overall", "all data"), ("group", "er"), ("mechanism", "ic"), ("length", "5"), ("length", "10"),
    }  # fmt: skip
    place = {"network": "er/100/4", "m": 1, "goal": "map", "length": 5}
    assert one(cells, **place, measure="map")["msa"] == one(cells, **place, measure="smap")["msa"]  # one length: same
    together = place | {"length": 0, "m": 8}  # with one cascade there is one length too
    assert one(cells, **together, measure="map")["msa"] != one(cells, **together, measure="smap")["msa"]


def test_few_networks_get_intervals_from_their_cascades(tmp_path: Path) -> None:
    _, summary = selection_diffusion.run(SPEC, scores_of(tmp_path, 1))
    row = one(summary.to_pylist(), by="overall", goal="map", m=1, measure="auc")
    assert row["interval"] == "cascades"
    assert row["msa_low"] < row["msa"] < row["msa_high"]


def test_files_in_another_order_give_the_same_numbers(tmp_path: Path) -> None:
    files = scores_of(tmp_path, 2)
    first, second = (selection_diffusion.run(SPEC, names)[0].to_pylist() for names in (files, files[::-1]))
    assert sorted(map(str, first)) == sorted(map(str, second))


@pytest.fixture(scope="module")
def classified(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("classified")
    rng = np.random.default_rng(3)
    lines = [f"{rng.normal(k, 2):.4f},{rng.normal(k, 1):.4f},{'yes' if k else 'no'}" for k in [0, 0, 1] * 200]
    (folder / "two.csv").write_text("\n".join(lines))
    files = []
    for learner, parameters in (("bayes", {}), ("knn", {"neighbours": [1, 5, 20]})):
        spec = {"seed": 1, "set": "two", "positive": ["yes"], "target": None, "module": learner}
        spec |= {"parameters": parameters, "subsets": 5, "tests": 20, "repeats": 3}
        table, facts = classify.run(spec, str(folder / "two.csv"))
        assert facts == {
            "n": 600, "n_positive": 200, "n_attributes": 2, "n_train": 120, "test_size": 24, "test_positive": 8,
        }  # fmt: skip
        assert len(table) == 3 * 20 * (2 if learner == "bayes" else 3)
        where = folder / f"set=two/learner={learner}/values.parquet"
        write_table(table, where, "classified", **facts)
        files.append(str(where))
    return files


def test_cases_and_curves_of_classifiers(classified: list[str]) -> None:
    spec = {"seed": 1, "tolerances": [1, 5, 100], "truth": "half", "ties": "half", "pairs": "all"}
    cases, tolerance = (table.to_pylist() for table in selection_classifiers.run(spec, classified))
    assert len(cases) == 2 * 8 * len(GOALS) * len(MEASURES)
    place = {"learner": "bayes", "truth": "same", "ties": "wrong", "pairs": "all"}
    assert one(cases, **place, goal="AUC", measure="AUC")["msa"] > 0.6  # the second attribute is the better one
    assert one(cases, **place, goal="AUC", measure="AUC")["n_models"] == 2
    assert {row["by"] for row in tolerance} == {"overall", "goal", "learner"}  # a third is in none of the groups
    for row in tolerance:
        assert 0 <= row["ratio"] <= 1
        assert row["ratio"] == 1 or row["tolerance"] < 100
    again, _ = selection_classifiers.run(spec, classified)
    assert str(again.to_pylist()) == str(cases)  # NaN equals no NaN


def test_figures_and_section(classified: list[str], diffusion) -> None:
    spec = {"seed": 1, "tolerances": [1, 5], "truth": "same", "ties": "wrong", "pairs": "all"}
    cases, tolerance = selection_classifiers.run(spec, classified)
    shown: list[tuple[str, dict[str, str], pa.Table]] = [
        ("tolerance", {"by": "goal"}, tolerance),
        ("tolerance", {"by": "learner"}, tolerance),
        ("few_cascades", {}, diffusion[1]),
    ]
    for name, parameters, table in shown:
        module = plugins.load("figures/selection", name)
        drawn = module.draw(table, **parameters)
        assert len(drawn.axes) == {"goal": 3, "learner": 2}.get(parameters.get("by", ""), 2)
        assert len(module.alt_text(table, **parameters)) > 50
        assert module.title(**parameters)
    page = selection_section({"cases": cases, "tolerance": tolerance, "summary": diffusion[1]}, [])
    assert "ECML-PKDD 2008" in page
    assert "by which measure should you choose" in page
    assert "The control, which knows no truth, is missing" in page
    known = diffusion[1].to_pylist()
    blind = [row | {"measure": "score_spread"} for row in known if row["measure"] == "auc"]
    assert "is missing" not in selection_section({"summary": pa.Table.from_pylist(known + blind)}, [])
    assert selection_section({}, []) == ""


def test_the_legend_lies_between_the_coin_and_a_control_below_it() -> None:
    figure, axes = plt.subplots()
    for value, name in ((0.8, "map"), (0.78, "smap"), (0.82, "ndcg"), (0.1, "score_spread")):
        axes.plot([1, 16], [value, value], label=name)
    axes.set_ylim(0.05, 1.02)
    few_cascades._legend(axes, [0.8, 0.78, 0.82, 0.1, 0.7])
    figure.canvas.draw()
    box = axes.get_legend().get_window_extent().transformed(axes.transData.inverted())
    plt.close(figure)
    assert 0.1 < box.y0 < box.y1 < 0.5


def test_classes_outside_all_groups_leave_a_gap_that_says_so(classified: list[str]) -> None:
    spec = {"seed": 1, "tolerances": [1, 5], "truth": "same", "ties": "wrong", "pairs": "all"}
    _, tolerance = selection_classifiers.run(spec, classified)
    others = tolerance.filter(pc.field("by") != "classes")
    figure, words = selection_figure.run({"module": "tolerance", "parameters": {"by": "classes"}}, others)
    assert words.endswith("Nothing to show: no data set is in a group by share of positives.")
    assert figure.axes
