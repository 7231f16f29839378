"""Snakemake on the whole grid of the paper, with stub outputs: what planning costs against the limits set for it."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
PAPER = {
    "study": "paper",
    "seed": 1,
    "replicates": 3,
    "synthetic": {
        "topologies": {"er": {}, "ba": {}},
        "n": list(range(100, 1001, 100)),
        "degree": list(range(3, 11)),
        "mechanisms": {"ic": {}, "lt": {}, "si": {}},
        "lengths": list(range(10, 101, 10)),
    },
    "models": {"cdk": {}, "pae": {}, "iae": {}, "embedded_ic": {}, "topo_lstm": {}}
    | {"random": {}, "popularity": {}, "frequency": {}, "pair_count": {}},
}
DAG_SECONDS, MEMORY_GB, NO_OP_SECONDS = 60, 2, 30


def snakemake(folder: Path, *options: str) -> tuple[list[tuple[float, str]], float]:
    """Lines of the output with the seconds at which they came, and all seconds."""
    command: Sequence[str | Path] = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile"]
    command = [*command, "--directory", folder, "--configfile", folder / "study.yaml", "--cores", "32", *options]
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / ".xdg")}
    started = time.perf_counter()
    lines = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, bufsize=1
    ) as process:
        assert process.stdout is not None
        lines += [(time.perf_counter() - started, line.rstrip()) for line in process.stdout]
    assert process.returncode == 0, lines[-5:]
    return lines, time.perf_counter() - started


def outputs(lines: list[tuple[float, str]]) -> list[str]:
    marked = (line.strip() for _, line in lines if line.strip().startswith("output: "))
    return [path for line in marked for path in line.removeprefix("output: ").split(", ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("paper")
    (made / "study.yaml").write_text(yaml.safe_dump(PAPER))
    return made


def test_planning_the_papers_grid_and_a_finished_run_that_does_nothing(folder: Path) -> None:
    lines, _ = snakemake(folder, "--dry-run", "--quiet", "host")
    begun = next(second for second, line in lines if line.startswith("Building DAG"))
    built = next(second for second, line in lines if line.startswith("Job stats"))
    jobs = int(next(line.split()[1] for _, line in lines if line.startswith("total")))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    dag = built - begun
    print(f"\n{jobs} jobs: DAG in {dag:.0f} s ({dag / DAG_SECONDS:.2f} of the limit of {DAG_SECONDS} s)")
    print(f"memory {memory:.2f} GB ({memory / MEMORY_GB:.2f} of the limit of {MEMORY_GB} GB)")

    for path in outputs(lines):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"stub")
    _, touched = snakemake(folder, "--touch", "--quiet", "all")
    print(f"scheduling {jobs} jobs that do nothing: {touched:.0f} s, {1000 * touched / jobs:.1f} ms a job")
    lines, seconds = snakemake(folder)
    assert any("Nothing to be done" in line for _, line in lines)
    print(f"finished study: {seconds:.0f} s ({seconds / NO_OP_SECONDS:.2f} of the limit of {NO_OP_SECONDS} s)")
