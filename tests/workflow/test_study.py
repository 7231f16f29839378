"""The whole path: a study runs to its report, to the same bits whatever the cores, and says what is wrong."""

import copy
import json
import math
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from cascurve.storage import content


@pytest.fixture(scope="module")
def tiny(tiny):
    """Held against the paper, in a journal's style."""
    return tiny | {"reproduction": True, "style": "nature"}


@pytest.fixture(scope="module")
def finished(snakemake, tiny, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two_cores")
    tiny["selection"] = {"diffusion": {"repeats": 3, "tests": 20}}
    result = snakemake(folder, tiny, "--cores", "2")
    assert result.returncode == 0, result.stderr[-4000:]
    return folder


def test_every_cell_has_a_point_that_adds_up(finished: Path) -> None:
    points = pq.read_table(finished / "results/tiny/points.parquet").to_pylist()
    assert len(points) == 2 * 2 * 3 * 2  # topologies, sizes, models, lengths (both up to 0.2 N)
    for point in points:
        assert point["status"] == "ok"
        assert 0 <= point["apce"] <= 1
        assert 0 < point["map"] <= 1
        assert math.isclose(point["smap"], point["map"] * point["n_users"] / point["length"], rel_tol=1e-12)
    chance = [(p["map"] - p["chance"]) / p["map_se"] for p in points if p["model"] == "random"]
    assert abs(sum(chance) / len(chance)) < 4 / math.sqrt(len(chance))  # the random control sits on exact chance
    learned = [p["map"] / p["chance"] for p in points if p["model"] == "cdk"]
    assert sum(learned) / len(learned) > 1.5


def test_report_and_figures_are_there(finished: Path) -> None:
    results = finished / "results/tiny"
    page = (results / "report.html").read_text()
    assert "<svg" in page
    assert 'href="tables/reproduction.tex"' in page
    claims = pq.read_table(results / "reproduction.parquet").to_pylist()
    assert len(claims) == (results / "tables/reproduction.csv").read_text().count("\n") - 1
    assert {"CDK's points lie on one exponential on ER"} <= {row["claim"] for row in claims}
    assert 'width="252' in (results / "figures/fig2a.svg").read_text()  # 89 mm in points
    for figure in ("fig2a", "fig2b", "curves"):
        for ending in ("pdf", "svg", "png"):
            assert (results / f"figures/{figure}.{ending}").stat().st_size > 1000


def test_the_measures_are_compared(finished: Path) -> None:
    results = finished / "results/tiny"
    rows = pq.read_table(results / "selection/summary.parquet").to_pylist()
    assert {row["measure"] for row in rows} == {"map", "smap", "score_spread"}
    assert {row["candidates"] for row in rows} == {"mixed"}
    assert all(0 <= row["msa"] <= 1 for row in rows)
    assert "Which measure picks the better model?" in (results / "report.html").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux only")
def test_no_job_of_the_grid_starts_python_anew(finished: Path) -> None:
    logs = [path for path in (finished / "results/tiny/logs").rglob("*.log") if "topology=" in str(path)]
    spent = [json.loads(log.read_text().splitlines()[-1])["cost"]["startup_seconds"] for log in logs]
    assert len(spent) == 4 * (1 + 1 + 1 + 3 + 1)  # network, cascades, difficulty, rankings of three models, scores
    assert max(spent) < 0.2  # a Python of its own takes more than that before its first import


def test_a_second_run_does_nothing(finished: Path, snakemake, tiny) -> None:
    again = snakemake(finished, tiny, "--cores", "1")
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr


def test_a_plan_tells_what_would_run_and_why_and_changes_nothing(
    finished: Path, cascurve, tiny, tmp_path: Path
) -> None:
    changed = copy.deepcopy(tiny)
    changed["models"]["cdk"]["updates"] = 10000
    changed["synthetic"] |= {"lengths": [5, 7, 8]}
    (tmp_path / "changed.yaml").write_text(yaml.safe_dump(changed))
    before = {path: path.stat().st_mtime_ns for path in (finished / "results").rglob("*")}
    told = cascurve("plan", "--json", "--configfile", tmp_path / "changed.yaml", "--directory", finished)
    plan = json.loads(told.stdout)
    assert plan["cells"] == 2 * 2 * 3 * 3
    why = {(cell["length"], cell["model"], cell["why"]) for cell in plan["pending"]}
    assert why == {(length, "cdk", "parameters.updates: 20000 → 10000") for length in (5, 8)} | {
        (7, model, "not made yet") for model in ("random", "popularity", "cdk")
    }
    assert len(plan["pending"]) == 2 * 2 * (2 + 3)
    cdk = next(kind for kind in plan["kinds"] if kind["kind"] == "rank/cdk")
    assert cdk["jobs"] == 8
    assert cdk["unmeasured"] == 0
    assert cdk["cpu_hours"] > 0
    assert {path: path.stat().st_mtime_ns for path in (finished / "results").rglob("*")} == before


@pytest.mark.whole
def test_same_bits_on_one_core_and_in_a_smaller_grid(finished: Path, snakemake, tiny, tmp_path: Path) -> None:
    smaller = copy.deepcopy(tiny)
    smaller["synthetic"] |= {"topologies": {"ba": {}}, "n": [60]}
    assert snakemake(tmp_path, smaller, "--cores", "1").returncode == 0
    small, whole = tmp_path / "results/tiny", finished / "results/tiny"
    cells = [path for path in small.glob("*/topology=ba/**/*.parquet") if path.name != "cost.parquet"]
    assert len(cells) == 4 + 3  # network, cascades, difficulty, scores; rankings of three models
    for path in cells:
        assert content(path) == content(whole / path.relative_to(small)), path
    part, points = (pq.read_table(folder / "points.parquet").to_pylist() for folder in (small, whole))
    assert len(part) == 2 * 3
    assert all(point in points for point in part)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"models": {"cdkk": {}}}, ["there is no models module 'cdkk'", "models.cdkk", "popularity"]),
        ({"synthetic": {"lengths": [5, 900]}}, ["synthetic.lengths[1]", "900", "at most 12"]),
    ],
)
def test_a_wrong_study_is_refused_in_words(snakemake, tiny, tmp_path: Path, change, words) -> None:
    wrong = copy.deepcopy(tiny) | {key: value for key, value in change.items() if key != "synthetic"}
    wrong["synthetic"] |= change.get("synthetic", {})
    result = snakemake(tmp_path, wrong)
    assert result.returncode != 0
    for word in words:
        assert word in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "results").exists()
