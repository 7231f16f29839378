"""Locks of runs that are gone are taken away, and no others."""

import subprocess
import sys
from pathlib import Path

from cascurve.study.locks import clear_stale_locks

RUN = """
import sys
from pathlib import Path
from cascurve.study.locks import clear_stale_locks

clear_stale_locks(Path(sys.argv[1]))
print("alive", flush=True)
sys.stdin.read()
"""


def start(folder: Path) -> subprocess.Popen[str]:
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "alive\n"
    return run


def test_the_lock_of_a_living_run_stays_and_that_of_a_killed_one_goes(tmp_path: Path) -> None:
    lock = tmp_path / "locks" / "0.input.lock"
    run = start(tmp_path)
    lock.parent.mkdir()
    lock.touch()
    other = start(tmp_path)
    assert lock.exists()
    run.kill()
    run.wait()
    assert lock.exists()  # the other run lives, and the lock could be its own
    other.kill()
    other.wait()
    last = start(tmp_path)
    assert not lock.exists()
    last.kill()
    last.wait()


def test_a_new_folder_has_none(tmp_path: Path) -> None:
    assert clear_stale_locks(tmp_path / "new") == 0
