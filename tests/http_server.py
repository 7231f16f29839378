"""A server of files on this machine that can go on with a transfer, and break one off."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Site:
    """What the server has, and what it was asked.

    Attributes
    ----------
    files : path -> content.
    breaks : after how many bytes each of the next transfers breaks off.
    asked : (method, path, Range header) of each request.
    tagged : whether answers carry an ETag.
    """

    files: dict[str, bytes]
    url: str = ""
    breaks: list[int] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    tagged: bool = True


@contextmanager
def serving(files: dict[str, bytes]) -> Iterator[Site]:
    site = Site(files)

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, *, body: bool) -> None:
            wanted = self.headers.get("Range", "")
            site.asked.append((self.command, self.path, wanted))
            content = site.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            tag = f'"{hash(content)}"'
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            if site.tagged and self.headers.get("If-Range", tag) != tag:
                start = 0
            if start and start >= len(content):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            if site.tagged:
                self.send_header("ETag", tag)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            if body:
                rest = content[start:]
                self.wfile.write(rest[: site.breaks.pop(0)] if site.breaks else rest)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
