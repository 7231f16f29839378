"""A small study, and runs of the real workflow on it in a folder of their own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]

STUDY: dict[str, Any] = {
    "study": "small",
    "seed": 3,
    "synthetic": {
        "topologies": {"er": {}},
        "n": [40],
        "degree": [5],
        "mechanisms": {"ic": {}},
        "lengths": [5, 8],
        "longest": 0.2,
        "sources": 8,
        "n_train": 120,
        "n_test": 60,
    },
    "models": {"popularity": {}},
}

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture(scope="session")
def start() -> Start:
    """Start Snakemake on the small study: ``start(folder, *options)``; it writes to ``folder/output``."""

    def run(folder: Path, *options: str | Path) -> subprocess.Popen[bytes]:
        config = folder / "study.yaml"
        config.write_text(yaml.safe_dump(STUDY))
        command = [sys.executable, "-m", "snakemake", "--snakefile", PROJECT / "Snakefile", "--directory", folder]
        command += ["--configfile", config, *options]
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / ".xdg")}
        with (folder / "output").open("wb") as output:
            return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment)

    return run
