"""Runs of the real workflow in a folder of their own."""

import copy
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]

TINY: dict[str, Any] = {
    "study": "tiny",
    "seed": 3,
    "replicates": 1,
    "synthetic": {
        "topologies": {"er": {}, "ba": {}},
        "n": [40, 60],
        "degree": [5],
        "mechanisms": {"ic": {}},
        "lengths": [5, 8],
        "longest": 0.2,
        "sources": 8,
        "n_train": 120,
        "n_test": 60,
    },
    "models": {"random": {}, "popularity": {}, "cdk": {"updates": 20000}},
}


@pytest.fixture(scope="module")
def tiny() -> dict[str, Any]:
    """A study of seconds."""
    return copy.deepcopy(TINY)


@pytest.fixture(scope="session")
def snakemake() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Snakemake on a study in a folder: ``snakemake(folder, study, *options)``."""

    def run(folder: Path, study: dict[str, Any], *options: str) -> subprocess.CompletedProcess[str]:
        config = folder / "study.yaml"
        config.write_text(yaml.safe_dump(study))
        command = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
        command += ["--configfile", config, *(options or ("--cores", "2"))]
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / ".xdg")}
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)

    return run


@pytest.fixture(scope="session")
def cascurve() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in a process of its own: ``cascurve("plan", ...)``."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        program = "import sys; from cascurve.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    return run
