"""A study through a real Slurm: one job is killed, and the tables are those of a run without any cluster."""

import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cascurve.storage import content

from .conftest import PROJECT, Start

NODE = Path(__file__).with_name("one_node_slurm")
TARGET = "results/small/points.parquet"
RULES = Counter(network=1, cascades=1, difficulty=1, rank=1, score=1, points=1)

# The profiles' own times between two looks at the queue suit jobs of minutes.
SLURM = ("slurm", ["--slurm-init-seconds-before-status-checks", "3"], ["scancel", "--signal=KILL", "--full"])
GENERIC = ("generic", ["--seconds-between-status-checks", "1"], ["scancel"])


class Job(NamedTuple):
    number: str
    rule: str
    state: str


def jobs() -> set[Job]:
    """All that Slurm knows of, finished ones too."""
    command = ["squeue", "--noheader", "--states=all", "--format=%i|%T|%j|%k"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = set()
    for number, state, name, comment in (line.split("|") for line in lines):
        # The Slurm executor names the rule in the comment, the generic profile in the name.
        rule = comment.removeprefix("rule_").split("_")[0] if comment != "(null)" else name
        found.add(Job(number, rule, state))
    return found


def wait_for(rule: str, run: subprocess.Popen[bytes], known: set[str]) -> str:
    """Number of the first new job of a rule that runs."""
    while run.poll() is None:
        for job in jobs():
            if job.number not in known and job.rule == rule and job.state == "RUNNING":
                return job.number
        time.sleep(0.2)
    pytest.fail(f"the run ended before a job of {rule} ran")


def tables(folder: Path) -> dict[str, bytes]:
    """Bytes of every table but the measured costs."""
    paths = (path for path in folder.rglob("results/**/*.parquet") if path.name != "cost.parquet")
    return {str(path.relative_to(folder)): content(path) for path in paths}


@pytest.fixture(scope="module")
def slurm() -> Iterator[None]:
    """A Slurm on this machine while the tests of this file run; installed where it is missing."""
    if os.environ.get("CASCURVE_TEST_SLURM") != "1":
        pytest.skip("CASCURVE_TEST_SLURM=1 installs and starts a Slurm on this machine (root on Debian) for this test")
    try:
        subprocess.run([NODE, "up"], check=True)
        yield
    finally:
        subprocess.run([NODE, "down"], check=True)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory, start: Start, slurm: None) -> dict[str, bytes]:
    """The tables of a run without a cluster."""
    folder = tmp_path_factory.mktemp("local")
    assert start(folder, "--cores", "2", TARGET).wait(timeout=300) == 0, (folder / "output").read_text()
    return tables(folder)


@pytest.mark.parametrize(("profile", "options", "kill"), [SLURM, GENERIC], ids=["slurm", "generic"])
def test_a_killed_job_is_retried(
    profile: str, options: list[str], kill: list[str], tmp_path: Path, start: Start, local: dict[str, bytes]
) -> None:
    known = {job.number for job in jobs()}
    run = start(tmp_path, "--profile", PROJECT / "profiles" / profile, *options, TARGET)
    try:
        killed = wait_for("rank", run, known)
        subprocess.run([*kill, killed], check=True)
        code = run.wait(timeout=900)
    finally:
        run.terminate()
    assert code == 0, (tmp_path / "output").read_text()

    own = [job for job in jobs() if job.number not in known]
    assert [(job.number, job.rule) for job in own if job.state != "COMPLETED"] == [(killed, "rank")]
    assert Counter(job.rule for job in own if job.state == "COMPLETED") == RULES
    assert len(local) == sum(RULES.values()) + 1  # the points stand beside the errors of their pairs
    assert tables(tmp_path) == local
