"""What this process has used so far."""

import os
import resource
import sys


def cpu_seconds() -> float:
    """Processor time of this process and its children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_mb() -> float:
    """Largest resident size."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
