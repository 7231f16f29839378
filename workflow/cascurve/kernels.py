"""Machine code of kernels is compiled once, by the first job that needs it, while the others of its kind wait.

Numba keeps compiled kernels in ``NUMBA_CACHE_DIR``, but processes that find it empty at the same moment all compile
everything. A rule that fills it before the fan-out cannot do better: as an input of the other rules it reruns all
of them whenever one kernel changes, and under ``ancient`` Snakemake drops the jobs that follow it from the plan.
"""

import fcntl
import hashlib
import importlib
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def without_blas() -> None:
    """Let numba do without BLAS in this process: no kernel of this package multiplies matrices.

    To find one it imports scipy.linalg, a sixth of a second in each of many thousand jobs. Where that is loaded
    already, or numba in use, nothing happens.
    """
    if "scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # an import of it fails
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


def start_compiler() -> None:
    """Take the quarter of a second that numba's first kernel takes in each process, even if it is a kept one."""
    importlib.import_module("numba.np.arraymath")
    importlib.import_module("numba").njit(lambda: None)()


@contextmanager
def compiled_once(kind: str) -> Iterator[bool]:
    """Run the block alone if no block of this kind has ended well on this sort of processor with this cache.

    Parameters
    ----------
    kind : what decides which kernels the block calls, such as the rule and the plug-in.

    Yields
    ------
    Whether the block may have to compile.

    Notes
    -----
    Without ``NUMBA_CACHE_DIR`` there is nothing to share, and the block just runs. The lock goes with its process:
    a killed job leaves none behind.
    """
    cache = os.environ.get("NUMBA_CACHE_DIR")
    if not cache:
        yield True
        return
    folder = Path(cache, "compiled", _processor())
    done = folder / kind
    if done.exists():
        yield False
        return
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{kind}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cold = not done.exists()
        if not cold:
            fcntl.flock(lock, fcntl.LOCK_UN)
        yield cold
        done.touch()


def _processor() -> str:
    """A name for this sort of processor: machine code is not shared between sorts."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line for line in lines if line.startswith("model name")), "")
    except OSError:
        model = platform.processor()
    return hashlib.sha256(f"{platform.machine()} {model}".encode()).hexdigest()[:8]
