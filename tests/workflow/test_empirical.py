"""Real cascades in, by a study that names files; wrong files are told by file and line."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

CASCADES = ["7 3 1 4 2 9 5", "3 7 2 9 4 5 8", "7 4 1 3 2", "9 3 1 7 2 4 3.5", "4 7 1 9 2 3 8"]


def study(folder: Path, lines: list[str]) -> dict[str, Any]:
    (folder / "cascades.txt").write_text("\n".join(lines) + "\n")
    (folder / "graph.txt").write_text("7 3\n3 9\n9 4\n4 7\n")
    entry = {
        "format": "topolstm",
        "cascades": {"all": "cascades.txt"},
        "graph": "graph.txt",
        "lengths": [3, 4],
        "subsample": {"split": "random"},
    }
    return {"study": "mine", "seed": 1, "empirical": {"small": entry}, "models": {"random": {}, "popularity": {}}}


def test_own_files_become_points(snakemake, tmp_path: Path) -> None:
    config = study(tmp_path, CASCADES * 8) | {"novelty": {"cutoffs": [1, 2]}, "timeaware": {"slices": ["all", 2]}}
    result = snakemake(tmp_path, config)
    assert result.returncode == 0, result.stderr[-4000:]
    points = pq.read_table(tmp_path / "results/mine/points.parquet").to_pylist()
    assert {(p["group"], p["length"], p["model"]) for p in points if p["status"] == "ok"} == {
        ("small", length, model) for length in (3, 4) for model in ("random", "popularity")
    }
    novelty = pq.read_table(tmp_path / "results/mine/novelty.parquet").to_pylist()
    assert [row["map"] for row in novelty] == [point["map"] for point in points]
    for row in novelty:
        assert 0 <= row["long_tail@2"] <= 1
        assert row["mean_distance@1"] >= -1
        assert 0 <= row["unexpectedness@2"] <= 1
    page = (tmp_path / "results/mine/report.html").read_text()
    assert "on the front of accuracy and long_tail@2 are" in page
    assert 'id="novelty_tradeoff"' in page
    assert 'id="novelty_difficulty"' in page
    over_time = pq.read_table(tmp_path / "results/mine/timeaware/performance.parquet").to_pylist()
    assert {(row["slices"], row["model"]) for row in over_time} == {
        (slices, model) for slices in ("all", "2") for model in ("random", "popularity")
    }
    assert all(0 <= row["uniform"] <= 1 and row["chance"] > 0 for row in over_time if row["metric"] == "MAP")
    assert 'id="timeaware"' in page
    assert (tmp_path / "results/mine/timeaware/figures/small.svg").stat().st_size > 1000


def test_a_malformed_line_is_named(snakemake, tmp_path: Path) -> None:
    result = snakemake(tmp_path, study(tmp_path, [*CASCADES, "7 3 1 4 two"]))
    assert result.returncode != 0
    assert "cascades.txt:6:" in result.stderr
    assert "Traceback" not in result.stderr
    assert not list((tmp_path / "results").rglob("*.parquet"))


def test_a_length_above_n_is_named(snakemake, tmp_path: Path) -> None:
    config = study(tmp_path, CASCADES)
    config["empirical"]["small"]["lengths"] = [3, 500]
    result = snakemake(tmp_path, config)
    assert result.returncode != 0
    assert "'empirical.small.lengths': found 500" in result.stderr
    assert not list((tmp_path / "results").glob("cascades/**/*.parquet"))


def test_a_missing_file_is_named(snakemake, tmp_path: Path) -> None:
    config = study(tmp_path, CASCADES)
    (tmp_path / "graph.txt").unlink()
    result = snakemake(tmp_path, config)
    assert result.returncode != 0
    assert "empirical.small.graph" in result.stderr
    assert "graph.txt" in result.stderr
    assert not (tmp_path / "results").exists()


def test_the_empirical_study_runs_on_the_real_sets(snakemake, shared_data: Path, tmp_path: Path) -> None:
    """`studies/empirical.yaml` as it is, with one replicate and the files where it looks for them."""
    (tmp_path / "resources").symlink_to(shared_data)
    config = yaml.safe_load((Path(__file__).parents[2] / "studies" / "empirical.yaml").read_text())
    result = snakemake(tmp_path, config | {"replicates": 1})
    assert result.returncode == 0, result.stderr[-4000:]
    results = tmp_path / "results" / "empirical"
    points = pq.read_table(results / "points.parquet").to_pylist()
    wanted = sum(len(entry["lengths"]) for entry in config["empirical"].values()) * len(config["models"])
    assert len(points) == wanted
    assert {point["status"] for point in points} == {"ok"}
    assert (results / "figures" / "figa3.pdf").stat().st_size > 1000
    page = (results / "report.html").read_text()
    assert "twitter" in page
    assert "android" in page
    # On Twitter the source says a lot: what is learned beats a ranking by popularity.
    mean = {
        model: sum(p["map"] for p in points if p["group"] == "twitter" and p["model"] == model)
        for model in config["models"]
    }
    assert mean["frequency"] > mean["popularity"] > 2 * mean["random"]
    assert mean["cdk"] > 2 * mean["random"]
