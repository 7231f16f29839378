"""Lets the scripts of a local Snakemake run in forks of one process that has imported their libraries."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cascurve.forking import client

OFF = "CASCURVE_FORK"
"""The environment variable that keeps every job in a Python of its own, if it is "0"."""
MODULES = (
    "snakemake.script",
    "pyarrow.parquet",
    "cascurve.study.costs",
    "cascurve.kernels:start_compiler",
    *(f"cascurve.stages.{name}" for name in ("script", "network", "cascades", "difficulty", "rank", "score")),
)
"""What is imported once: what Snakemake puts before each script, and what the jobs of a grid need."""
LONGEST = 100
"""Characters that the path of a socket may have on Linux."""
START_SECONDS = 5.0


def start() -> subprocess.Popen[bytes] | None:
    """Start a server that ends with this process, and tell clients of it; None where there can be none.

    Only on Linux: the system libraries of macOS do not survive a fork.
    """
    if sys.platform != "linux" or os.environ.get(OFF) == "0":
        return None
    path = Path(tempfile.mkdtemp(prefix="cascurve-"), "s")
    if len(str(path)) > LONGEST:
        path.parent.rmdir()
        return None
    command = [sys.executable, "-m", "cascurve.forking.server", str(path), *MODULES]
    # A session of its own: an interrupt at the terminal is for Snakemake, with which the server ends.
    server = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    give_up = time.monotonic() + START_SECONDS
    while not path.exists() and server.poll() is None and time.monotonic() < give_up:
        time.sleep(0.01)
    os.environ[client.ADDRESS] = str(path)
    return server


def take_over(script: Any) -> None:
    """Let Snakemake's class of Python scripts run those through the client that need no environment of their own."""
    direct = script.execute_script

    def execute_script(self: Any, fname: str, edit: bool = False) -> None:
        if edit or self.container_img or self.conda_env or self.env_modules:
            direct(self, fname, edit)
        else:
            command = "{python} -I -S {client:q} {fname:q}"
            paths = {"python": sys.executable, "client": client.__file__, "fname": fname}
            self._execute_cmd(command, **paths, is_python_script=True)

    script.execute_script = execute_script
