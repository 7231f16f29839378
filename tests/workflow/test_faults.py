"""What goes wrong on a real machine loses nothing that was computed: kills, corrupt files, locks left behind."""

import copy
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from cascurve.storage import content

pytestmark = pytest.mark.whole

PROJECT = Path(__file__).parents[2]
POINTS = "results/tiny/points.parquet"


@pytest.fixture(scope="module")
def small(tiny) -> dict:
    study = copy.deepcopy(tiny)
    study["synthetic"] |= {"topologies": {"er": {}}, "n": [40]}
    study["models"].pop("popularity")
    return study


@pytest.fixture(scope="module")
def undisturbed(snakemake, small, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert snakemake(folder, small, "--cores", "2", POINTS).returncode == 0
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    """Every table of a run, but for those that hold times."""
    files = (path for path in folder.glob("results/**/*.parquet") if path.name != "cost.parquet")
    return {str(path.relative_to(folder)): content(path) for path in files}


def run_and_kill(folder: Path, study: dict, seconds: float, *, orphans: bool) -> None:
    """Start a run and kill it with SIGKILL after some time: with its jobs, or Snakemake alone."""
    (folder / "study.yaml").write_text(yaml.safe_dump(study))
    command = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
    command += ["--configfile", folder / "study.yaml", "--cores", "2", POINTS]
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / ".xdg")}
    with open(folder / "killed.log", "ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        time.sleep(seconds)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL) if orphans else os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments_a_run_completes_to_the_same_bits(
    kills: int, snakemake, small, undisturbed: Path, tmp_path: Path
) -> None:
    moments = random.Random(kills)
    for turn in range(kills):
        run_and_kill(tmp_path, small, moments.uniform(2, 10), orphans=turn % 3 == 2)
        assert not list(tmp_path.glob("results/**/*.lock"))
    result = snakemake(tmp_path, small, "--cores", "2", POINTS)
    assert result.returncode == 0, result.stderr[-3000:]
    assert tables(tmp_path) == tables(undisturbed)
    again = snakemake(tmp_path, small, "--cores", "2", POINTS)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_a_corrupt_table_is_named_and_the_rest_is_kept(snakemake, tiny, tmp_path: Path) -> None:
    study = copy.deepcopy(tiny)
    study["synthetic"]["n"] = [40]
    study["models"] = {"random": {}}
    assert snakemake(tmp_path, study, "--cores", "2", POINTS).returncode == 0
    before = tables(tmp_path)
    (corrupt,) = tmp_path.glob("results/tiny/cascades/topology=er/**/cascades.parquet")
    corrupt.write_bytes(corrupt.read_bytes()[:-100])
    result = snakemake(tmp_path, study, "--cores", "2", POINTS)
    assert result.returncode != 0
    told = result.stdout + result.stderr
    assert f"{corrupt.relative_to(tmp_path)}: not a readable Parquet file" in told
    assert "delete it and rerun" in told
    assert "Traceback" not in told
    kept = {name: before[name] for name in before if "topology=ba" in name or "networks" in name}
    assert kept.items() <= tables(tmp_path).items()
    corrupt.unlink()
    assert snakemake(tmp_path, study, "--cores", "2", POINTS).returncode == 0
    after = tables(tmp_path)  # the points were made from the sound file: what led to them need not be made again
    assert after[POINTS] == before[POINTS]
    assert after.items() <= before.items()


def test_shards_merge_to_the_single_run(snakemake, cascurve, tiny, tmp_path: Path) -> None:
    study = copy.deepcopy(tiny)
    study["synthetic"]["n"] = [40]
    study["models"] = {"random": {}, "popularity": {}}
    folders = {name: tmp_path / name for name in ("single", "first", "second", "merged")}
    for folder in folders.values():
        folder.mkdir()
    assert snakemake(folders["single"], study, "--cores", "2", POINTS).returncode == 0
    for name, shard in (("first", "1/2"), ("second", "2/2")):
        assert snakemake(folders[name], study, "--cores", "2", "--config", f"shard={shard}").returncode == 0
        assert not (folders[name] / POINTS).exists()
    assert not tables(folders["first"]).keys() & tables(folders["second"]).keys()

    merge = ("merge", folders["first"], folders["second"], "--into", folders["merged"])
    assert cascurve(*merge).returncode == 0
    finished = snakemake(folders["merged"], study, "--cores", "2", POINTS)
    assert finished.returncode == 0
    assert "1 of 1 steps" in finished.stdout + finished.stderr  # only the points were left
    assert tables(folders["merged"]) == tables(folders["single"])

    other = next(folders["second"].glob("results/tiny/scores/**/scores.parquet"))
    pq.write_table(pq.read_table(other).slice(1), other)
    refused = cascurve(*merge)
    assert refused.returncode == 1
    assert f"{other}: differs from" in refused.stderr

    study["models"]["popularity"] = {"use": "frequency"}  # what was merged is known well enough to rerun
    pending = snakemake(folders["merged"], study, "--summary", POINTS).stdout
    stale = [line for line in pending.splitlines() if "update pending" in line and "rankings.parquet" in line]
    assert len(stale) == 2
    assert all("model=popularity" in line for line in stale)


def test_a_wrong_shard_is_refused(snakemake, tiny, tmp_path: Path) -> None:
    result = snakemake(tmp_path, tiny, "--dry-run", "--config", "shard=3/2")
    assert result.returncode != 0
    assert "config key 'shard': found '3/2'" in result.stdout + result.stderr


def test_points_and_scores_agree_on_the_models(undisturbed: Path) -> None:
    scores = pq.read_table(next(undisturbed.glob("results/tiny/scores/**/scores.parquet")))
    assert sorted(set(scores.column("model").to_pylist())) == ["cdk", "random"]
