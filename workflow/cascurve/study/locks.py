"""A run that was killed leaves Snakemake's lock behind; the next run takes it away when its owner is gone."""

import fcntl
import os
from pathlib import Path

_HELD: list[int] = []  # open for the life of the process: the system lets go of them when it ends, however it ends


def clear_stale_locks(folder: Path) -> int:
    """Remove the locks of a folder ``.snakemake`` unless a run is alive there; returns how many were removed.

    Every run holds a shared system lock beside Snakemake's files. Who can take it alone knows that all other
    runs are gone, and that their files of locks are left-overs. Where the file system has no such locks, nothing
    is removed, and Snakemake's own message tells what to do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "cascurve.lock", os.O_RDWR | os.O_CREAT, 0o666)
    stale: list[Path] = []
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        stale = list((folder / "locks").glob("*.lock"))
        for path in stale:
            path.unlink(missing_ok=True)
    except OSError:  # another run is alive, or the file system has no locks
        pass
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        _HELD.append(descriptor)
    except OSError:
        os.close(descriptor)
    return len(stale)
