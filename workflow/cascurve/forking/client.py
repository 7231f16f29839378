"""Runs a script in a process forked from the server, as if this process ran it: ``python -I -S client.py SCRIPT``.

Most of a short job's time is the start of Python and the import of libraries. The server has done both; this file
imports next to nothing. Where no server answers, the script runs here.
"""

import json
import os
import signal
import socket
import sys

ADDRESS = "CASCURVE_FORK_SERVER"
"""The environment variable that holds the path of the server's socket."""
STARTED = b"s"
"""What the server answers before it forks; what follows is the exit status."""


def main() -> None:
    """Exit as the script does."""
    script = sys.argv[1]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # an interrupt ends it without a word, and the server ends the script
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(os.environ.get(ADDRESS, ""))
            request = json.dumps({"script": script, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
            socket.send_fds(server, [len(request).to_bytes(8, "big")], [0, 1, 2])
            server.sendall(request)
            started = server.recv(1) == STARTED
        except OSError:
            started = False
        if started:
            status = server.recv(1)
            # The script's process ends with the server: nothing of it goes on.
            sys.exit(status[0] if status else "the process that runs the jobs has ended")
    os.execv(sys.executable, [sys.executable, script])


if __name__ == "__main__":
    main()
