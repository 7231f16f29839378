"""Real cascades in, by a study that names files; wrong files are told by file and line."""

import hashlib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from tests.http_server import serving

pytestmark = pytest.mark.whole

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
    """A length that no cascade has is a gap; the others have points."""
    config = study(tmp_path, CASCADES * 8) | {"novelty": {"cutoffs": [1, 2]}}
    config["empirical"]["small"]["lengths"] = [3, 4, 500]
    del config["empirical"]["small"]["format"]
    rows = [f"{i},{user}" for i in range(30) for user in "pqrs"[i % 2 :]]
    (tmp_path / "timeless.csv").write_text("\n".join(["cascade,user", *rows]) + "\n")
    timeless = {"format": "table", "cascades": {"all": "timeless.csv"}, "options": {"time": None}, "lengths": [3]}
    config["empirical"]["timeless"] = timeless | {"subsample": {"split": "random"}}
    result = snakemake(tmp_path, config)
    assert result.returncode == 0, result.stderr[-4000:]
    points = pq.read_table(tmp_path / "results/mine/points.parquet").to_pylist()
    assert {(p["group"], p["length"], p["model"]) for p in points if p["status"] == "ok"} == {
        (group, length, model)
        for group, length in (("small", 3), ("small", 4), ("timeless", 3))
        for model in ("random", "popularity")
    }
    gaps = [p for p in points if p["length"] == 500]
    assert len(gaps) == 2
    assert all("0 of 40 cascades have 500 users or more" in p["status"] for p in gaps)
    novelty = pq.read_table(tmp_path / "results/mine/novelty.parquet").to_pylist()
    assert [row["map"] for row in novelty] == [point["map"] for point in points]
    for row in (row for row in novelty if row["status"] == "ok" and row["group"] == "small"):
        assert 0 <= row["long_tail@2"] <= 1
        assert row["mean_distance@1"] >= -1
        assert 0 <= row["unexpectedness@2"] <= 1
    page = (tmp_path / "results/mine/report.html").read_text()
    found_out = "topolstm, found out from cascades.txt (a source, then pairs"
    assert result.stderr.count(f"small: {found_out}") == 1
    assert f"format: {found_out}" in page
    assert "on the front of accuracy and long_tail@2 are" in page
    assert 'id="novelty_tradeoff"' in page
    assert 'id="novelty_difficulty"' in page
    over_time = pq.read_table(tmp_path / "results/mine/timeaware/performance.parquet").to_pylist()
    assert {(row["slices"], row["model"]) for row in over_time} == {
        (slices, model) for slices in ("all", "auto") for model in ("random", "popularity")
    }
    assert all(0 <= row["uniform"] <= 1 and row["chance"] > 0 for row in over_time if row["metric"] == "MAP")
    assert 'id="timeaware"' in page
    assert "0 of 40 cascades have 500 users or more" in page[page.index('id="timeaware"') :]
    assert "timeless: nothing can be shown over time (the cascades have no times)" in page
    assert 'id="timeaware-timeless"' not in page
    assert (tmp_path / "results/mine/timeaware/figures/small.svg").stat().st_size > 1000


def test_a_published_set_is_downloaded_prepared_and_graded(snakemake, tmp_path: Path) -> None:
    """From a server on this machine; the second transfer breaks off and goes on."""
    pytest.importorskip("snakemake_storage_plugin_http")
    lines = "".join(f"{line}\n" for line in CASCADES * 8)
    files = {"/a/cascades.txt": lines.encode(), "/a/graph.txt": b"7 3\n3 9\n9 4\n4 7\n"}
    sha256 = hashlib.sha256(files["/a/cascades.txt"]).hexdigest()
    with serving(files) as site:
        entry: dict[str, Any] = {"page": "a page", "licence": "CC0-1.0", "format": "topolstm"}
        entry |= {"cascades": {"all": "cascades.txt"}, "graph": "graph.txt"}
        entry["files"] = {
            "cascades.txt": {"url": f"{site.url}/a/cascades.txt", "size": len(lines), "sha256": sha256},
            "graph.txt": {"url": f"{site.url}/a/graph.txt"},
        }
        entry["expected"] = {"the paper": {"users": 8, "cascades": 41}}
        (tmp_path / "sets.yaml").write_text(yaml.safe_dump({"small": entry}))
        chosen = {"set": "small", "lengths": [4], "prepare": {"in_network": True, "longest": 4}}
        chosen["subsample"] = {"min_train": 15, "min_test": 4}
        chosen["graded"] = {"swap": {"from": 0.7, "to": 0.9, "levels": 2}}
        config = {"study": "mine", "seed": 1, "catalogue": "sets.yaml", "empirical": {"mine": chosen}}
        site.breaks = [10, 10]
        result = snakemake(tmp_path, config | {"models": {"random": {}, "popularity": {}}})
        assert result.returncode == 0, result.stderr[-4000:]
        assert any(method == "GET" and asked.startswith("bytes=") for method, _, asked in site.asked)
    assert (tmp_path / "resources/small/cascades.txt").read_bytes() == files["/a/cascades.txt"]
    assert "warning: mine: the paper: 40 cascades, not 41; 5 users, not 8" in result.stderr
    assert "warning: mine, replicate 0: the split leaks at length 4" in result.stderr
    points = pq.read_table(tmp_path / "results/mine/points.parquet").to_pylist()
    reached = {p["mechanism"]: p["apce_bayes"] for p in points if p["status"] == "ok"}
    assert reached == pytest.approx({"swap-1": 0.7, "swap-2": 0.9}, abs=0.05)
    page = (tmp_path / "results/mine/report.html").read_text()
    for words in (
        "CC0-1.0",
        "users without a link left out",
        "5 users, not 8",
        "mine: the split leaks",
        "graded by swap",
    ):
        assert words in page
    # The files are there now: neither the server nor the plugin is asked again.
    again = snakemake(tmp_path, config | {"models": {"random": {}, "popularity": {}}}, "--dry-run")
    assert "Nothing to be done" in again.stdout + again.stderr, again.stdout[-3000:]


def test_a_malformed_line_is_named(snakemake, tmp_path: Path) -> None:
    result = snakemake(tmp_path, study(tmp_path, [*CASCADES, "7 3 1 4 two"]))
    assert result.returncode != 0
    assert "cascades.txt:6:" in result.stderr
    assert "Traceback" not in result.stderr
    assert not list((tmp_path / "results").rglob("*.parquet"))


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
