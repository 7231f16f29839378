"""Forks a process for each script that a client asks for, with the libraries of all jobs imported.

``python -m cascurve.forking.server SOCKET MODULE[:FUNCTION]...`` imports the modules and calls the functions. It ends
when its standard input does, that is, with its owner. A process of its own for each script keeps jobs apart as before:
a fork starts from the server's state, which no job changes.
"""

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cascurve.forking.client import STARTED

PATIENCE = 10.0
"""Seconds to wait for the rest of a request."""


class Server:
    """Listens at `path` until `owner`, a readable file descriptor, ends."""

    def __init__(self, path: Path, owner: int) -> None:
        self._owner = owner
        self._running: dict[int, socket.socket] = {}
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1024)
        self._wake, self._woken = socket.socketpair()  # a signal that a script has ended wakes the selector
        self._selector = selectors.DefaultSelector()

    def serve(self) -> None:
        """Fork for each request; returns when the owner has ended, and every script with it."""
        self._wake.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for source in (self._owner, self._listener, self._woken):
            self._selector.register(source, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj == self._owner:
                    self._kill(self._running)
                    return
                if key.fileobj == self._woken:
                    self._woken.recv(4096)
                    self._report_ended()
                elif key.fileobj == self._listener:
                    self._accept()
                elif key.data in self._running:  # a client ended: its script must not go on
                    self._selector.unregister(key.fileobj)
                    self._kill([key.data])

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        client.settimeout(PATIENCE)
        try:
            request, streams = _receive(client)
        except (OSError, ValueError):  # a client without an answer runs its script itself
            client.close()
            return
        try:
            pid = os.fork()
            if pid == 0:
                try:
                    self._leave()
                    client.close()
                    _run(request, streams)
                finally:
                    os._exit(1)  # whatever happened: a fork never goes on as a server
            self._running[pid] = client
            self._selector.register(client, selectors.EVENT_READ, pid)
            client.sendall(STARTED)
        except BlockingIOError:  # no more processes
            client.close()
        except OSError:
            pass  # the client has ended: the selector tells
        finally:
            for stream in streams:
                os.close(stream)

    def _leave(self) -> None:
        """In a fork: let go of what is the server's."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        self._selector.close()
        for held in (self._listener, self._wake, self._woken, *self._running.values()):
            held.close()

    def _report_ended(self) -> None:
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(status)
            client = self._running.pop(pid)
            with suppress(KeyError):
                self._selector.unregister(client)
            with client, suppress(OSError):
                client.sendall(bytes([code if code >= 0 else 128 - code]))  # a signal as shells report it

    def _kill(self, pids: Iterable[int]) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _receive(client: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """A request, and the client's standard streams."""
    head, streams, _, _ = socket.recv_fds(client, 8, 3)
    size, body = int.from_bytes(head, "big"), b""
    while len(body) < size:
        part = client.recv(size - len(body))
        if not part:
            raise ValueError("the client ended within its request")
        body += part
    return json.loads(body), streams


def _run(request: dict[str, Any], streams: list[int]) -> None:
    """Be the script's process to its end."""
    code = 1
    try:
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
            os.close(stream)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        script = request["script"]
        sys.argv = [script]
        sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
        exec(compile(Path(script).read_bytes(), script, "exec"), {"__name__": "__main__", "__file__": script})
        code = 0
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException:
        traceback.print_exc()
    finally:
        for output in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                output.flush()
        os._exit(code)


def _exit_code(end: SystemExit) -> int:
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
        return 1
    return int(end.code or 0) & 0xFF


def main() -> None:
    """Listen, import, serve."""
    path = Path(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = Server(path, sys.stdin.fileno())
    try:
        for entry in sys.argv[2:]:
            module, _, function = entry.partition(":")
            imported = importlib.import_module(module)
            if function:
                getattr(imported, function)()
        gc.collect()
        gc.freeze()  # a collection in a fork would copy every page
        server.serve()
    finally:
        path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()


if __name__ == "__main__":
    main()
