"""Kernels are compiled once, and an edited callee never leaves old machine code behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from cascurve import provenance
from cascurve.kernels import compiled_once

JOB = """
import sys, time
from pathlib import Path
from cascurve.kernels import compiled_once

with compiled_once("rank-cdk"):
    log = Path(sys.argv[1])
    log.open("a").write("in\\n")
    time.sleep(0.3)
    log.open("a").write("out\\n")
    if sys.argv[2] == "fail":
        sys.exit(1)
"""


def start(log: Path, cache: Path, outcome: str = "end") -> subprocess.Popen[bytes]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    return subprocess.Popen([sys.executable, "-c", JOB, str(log), outcome], env=environment)


def test_the_first_job_of_a_kind_runs_alone(tmp_path) -> None:
    log = tmp_path / "log"
    jobs = [start(log, tmp_path / "cache") for _ in range(4)]
    assert [job.wait() for job in jobs] == [0] * 4
    lines = log.read_text().split()
    assert lines[:2] == ["in", "out"]
    assert lines.count("out") == 4


def test_a_failed_first_job_does_not_count(tmp_path) -> None:
    log = tmp_path / "log"
    assert start(log, tmp_path / "cache", "fail").wait() == 1
    jobs = [start(log, tmp_path / "cache") for _ in range(3)]
    assert [job.wait() for job in jobs] == [0] * 3
    assert log.read_text().split()[2:4] == ["in", "out"]


def test_without_a_cache_there_is_no_lock(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    with compiled_once("rank-cdk"), compiled_once("rank-cdk"):
        pass


CALLEE = "from numba import njit\n\n@njit(cache=True)\ndef scale(x):\n    return {factor} * x\n"
CALLER = """
from numba import njit
from callee import scale

@njit(cache=True)
def twice(x):
    return 2 * scale(x)

print(twice(5))
"""


def run(folder: Path, cache: Path) -> int:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(folder)}
    command = [sys.executable, str(folder / "caller.py")]
    return int(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def test_numba_alone_keeps_old_code_and_the_digest_does_not(tmp_path, monkeypatch, forget) -> None:
    """Numba stamps a kernel with its own file only; the cache folder's name therefore carries all kernels."""
    package = tmp_path / "cascurve"
    package.mkdir()
    monkeypatch.setattr(provenance, "ROOT", tmp_path)

    def digest() -> str:
        forget()
        return provenance.kernel_digest()

    (package / "callee.py").write_text(CALLEE.format(factor=1))
    (package / "caller.py").write_text(CALLER)
    before = digest()
    assert run(package, tmp_path / before) == 10
    (package / "callee.py").write_text(CALLEE.format(factor=100))
    after = digest()
    assert run(package, tmp_path / before) == 10  # stale: the right value is 1000
    assert after != before
    assert run(package, tmp_path / after) == 1000


def test_a_constant_that_kernels_freeze_changes_the_name_of_the_cache(tmp_path) -> None:
    package = Path(provenance.__file__).parent
    copied = shutil.copytree(package, tmp_path / "cascurve", ignore=shutil.ignore_patterns("__pycache__"))
    program = "from cascurve.provenance import kernel_digest; print(kernel_digest())"

    def digest() -> str:
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stdout

    before = digest()
    constants = copied / "mechanisms" / "simulation.py"  # has no kernel of its own
    assert "numba" not in constants.read_text()
    constants.write_text(constants.read_text() + "\nEDITED = 1\n")
    assert digest() != before


def test_a_job_does_not_load_blas_for_numba_and_scipy_still_has_it() -> None:
    program = """
import sys
import numpy as np
from numba import njit
from cascurve.kernels import without_blas
without_blas()
assert njit(lambda x: x.sum())(np.arange(4.0)) == 6
assert not [name for name in sys.modules if name.startswith("scipy.linalg")]
import scipy.linalg
assert scipy.linalg.det(np.eye(2)) == 1
"""
    subprocess.run([sys.executable, "-c", program], check=True)
