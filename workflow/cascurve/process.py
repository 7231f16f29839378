"""What this process has used so far, and whether whoever started it is still there."""

import os
import resource
import sys
import threading
import time

CHECK_SECONDS = 0.5


def cpu_seconds() -> float:
    """Processor time of this process and its children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_mb() -> float:
    """Largest resident size."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


class Parent:
    """The process that started this one.

    A job whose Snakemake was killed must not go on: it could replace what a later run, of other code or another
    study, has written meanwhile.
    """

    def __init__(self) -> None:
        self._pid: int | None = None

    def watch(self) -> None:
        """End this process soon after its parent has."""
        self._pid = os.getppid()
        threading.Thread(target=self._follow, daemon=True).start()

    def end_if_gone(self) -> None:
        """End this process at once, without clean-up, when the watched parent has ended."""
        if self._pid is not None and os.getppid() != self._pid:
            os._exit(1)

    def _follow(self) -> None:
        while True:
            time.sleep(CHECK_SECONDS)
            self.end_if_gone()


PARENT = Parent()
