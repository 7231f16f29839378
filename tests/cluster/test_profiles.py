"""Every profile is one that Snakemake takes, and says nothing that it would not hear."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from snakemake.cli import get_argument_parser

from .conftest import PROJECT, Start

FOLDER = PROJECT / "profiles"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/config.yaml"))
CLUSTERS = [name for name in NAMES if name != "default"]


def profile(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name / "config.yaml").read_text())


def test_all_are_described() -> None:
    text = (FOLDER / "README.md").read_text()
    assert {"default", "slurm", "generic", "kubernetes"} == set(NAMES)
    assert [name for name in NAMES if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_options_of_snakemake(name: str) -> None:
    known = {option.removeprefix("--") for option in get_argument_parser()._option_string_actions}
    # The plug-in of Kubernetes is not installed here: its own options cannot be asked for.
    unknown = {key for key in profile(name) if not key.startswith("kubernetes-")} - known
    assert unknown == set()


@pytest.mark.parametrize("name", CLUSTERS)
def test_no_key_is_overruled_by_the_default_profile(name: str) -> None:
    # Snakemake finds profiles/default by itself and lets it win, key by key.
    assert profile(name).keys() & profile("default").keys() == set()


@pytest.mark.parametrize("name", ["slurm", "generic"])
def test_dry_run_takes_both_profiles(name: str, tmp_path: Path, start: Start) -> None:
    run = start(tmp_path, "--profile", FOLDER / name, "--dry-run")
    assert run.wait(timeout=120) == 0, (tmp_path / "output").read_text()
    output = (tmp_path / "output").read_text()
    assert f"profiles/{name} and workflow specific profile" in output
    defaults = profile(name)["default-resources"]
    # A rule may say more about its own memory and time; `all` says nothing.
    jobs = output[output.rindex("rule all:") :]
    assert f"mem_mb={defaults['mem_mb']}" in jobs
    assert f"runtime={defaults['runtime']}" in jobs


@pytest.mark.parametrize(
    ("says", "code", "answer"),
    [
        ("COMPLETED", 0, "success"),
        ("RUNNING", 0, "running"),
        ("COMPLETING", 0, "running"),
        ("PENDING", 0, "running"),
        ("FAILED", 0, "failed"),
        ("CANCELLED", 0, "failed"),
        ("OUT_OF_MEMORY", 0, "failed"),
        ("slurm_load_jobs error: Invalid job id specified", 1, "failed"),
        ("slurm_load_jobs error: Unable to contact slurm controller", 1, "running"),
    ],
)
def test_generic_status_of_a_job(says: str, code: int, answer: str, tmp_path: Path) -> None:
    squeue = tmp_path / "squeue"
    squeue.write_text(f"#!/bin/sh\necho '{says}' >&{1 + (code > 0)}\nexit {code}\n")
    squeue.chmod(0o755)
    command = [FOLDER / "generic" / "status.sh", "17"]
    path = f"{tmp_path}:/usr/bin:/bin"
    result = subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": path})
    assert result.stdout.split() == [answer]
