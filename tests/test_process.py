"""A job ends with the process that started it, before it can replace what a later run has written."""

import subprocess
import sys
import time
from pathlib import Path

JOB = """
import sys, time
from cascurve.process import PARENT
from cascurve.storage import write_text

PARENT.watch()
print("ready", flush=True)
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    pass
write_text("from the orphan", sys.argv[1])
"""
STARTER = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1], *sys.argv[2:]])
time.sleep(60)
"""


def start(target: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", STARTER, JOB, str(target), str(seconds)]
    starter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    assert starter.stdout.readline() == "ready\n"
    return starter


def test_an_orphan_writes_nothing(tmp_path: Path) -> None:
    orphaned, kept = start(tmp_path / "orphan", 2), start(tmp_path / "kept", 1)
    orphaned.kill()
    orphaned.wait()
    time.sleep(4)
    kept.kill()
    kept.wait()
    assert (tmp_path / "kept").read_text() == "from the orphan"
    assert not (tmp_path / "orphan").exists()
