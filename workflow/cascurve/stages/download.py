"""Stage: one file of a published data set, fetched so that an interrupted transfer goes on, and verified.

Snakemake's HTTP plugin tells whether the file is there and new; what it fetches itself, it fetches from the start
each time. So the job is given the address only, and keeps what has come in ``<file>.part``.
"""

import hashlib
import http.client
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from cascurve.errors import DataError

BLOCK = 1 << 16
TRIES = 5
"""Times that a broken transfer is taken up again without a byte having come."""
WAIT = 1.0
"""Seconds before the first new try; doubled each time."""
PATIENCE = 60.0
"""Seconds without a byte after which a transfer counts as broken."""
BROKEN = (OSError, http.client.HTTPException)


def run(spec: dict[str, Any], url: str, path: Path) -> None:
    """Fetch `url` into `path`, which is there only when it is whole and right.

    Parameters
    ----------
    spec : keys size and sha256, None where not known.

    Raises
    ------
    DataError : the file cannot be had, or it is not the expected one; the part of such a file is deleted.
    """
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    tries = 0
    while True:
        before = _size(part)
        try:
            _fetch(url, part, spec["size"], any_version=spec["sha256"] is not None)
            break
        except urllib.error.HTTPError as error:
            if error.code == 416:  # there is no such range: the part is of another version
                part.unlink()
            elif error.code < 500 or tries == TRIES:
                raise DataError(
                    f"the server answered {error.code} ({error.reason}) for {url}",
                    file=path,
                    remedy="check the address",
                ) from None
        except BROKEN as error:
            if tries == TRIES:
                kept = f"{_size(part)} bytes are kept; run again to go on"
                raise DataError(f"the transfer from {url} broke off ({error})", file=path, remedy=kept) from None
        tries = 0 if _size(part) > before else tries + 1
        print(f"{url}: broke off at {_size(part)} bytes; trying again", file=sys.stderr, flush=True)
        time.sleep(WAIT * 2**tries)
    _verify(part, url, spec["size"], spec["sha256"])
    _tag(part).unlink(missing_ok=True)
    part.replace(path)


def _fetch(url: str, part: Path, size: int | None, *, any_version: bool) -> None:
    """Append what is missing; begin anew where the server cannot go on, or has another version by now.

    Parameters
    ----------
    any_version : go on even where the server does not tell versions apart; the hash will.
    """
    have = _size(part)
    if size is not None and have == size:
        return
    headers = {"User-Agent": "cascurve"}
    validator = _tag(part).read_text(encoding="utf-8") if _tag(part).is_file() else ""
    if have and (validator or any_version):
        headers |= {"Range": f"bytes={have}-"} | ({"If-Range": validator} if validator else {})
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as answer:
        goes_on = answer.status == 206
        tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
        if not goes_on:
            _tag(part).write_text("" if tag.startswith("W/") else tag, encoding="utf-8")
        with part.open("ab" if goes_on else "wb") as file:
            while block := answer.read(BLOCK):
                file.write(block)
                if size is not None and file.tell() > size:
                    return  # not the expected file; no need to see all of it
        left = answer.length
    if left:  # read() of a known length returns early without an error when the connection ends
        raise http.client.IncompleteRead(b"", left)


def _verify(part: Path, url: str, size: int | None, sha256: str | None) -> None:
    found = _size(part)
    wrong = ""
    if size is not None and found != size:
        wrong = f"expected {size} bytes, found {found if found < size else f'at least {found}'}"
    elif sha256 is not None:
        with part.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        wrong = f"expected the SHA-256 {sha256}, found {digest}" if digest != sha256 else ""
    if wrong:
        part.unlink()
        _tag(part).unlink(missing_ok=True)
        remedy = "its publisher has changed it, or something on the way has; compare it with the publisher's page"
        raise DataError(f"{url} is not the expected file: {wrong}", file=part.with_suffix(""), remedy=remedy)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _tag(part: Path) -> Path:
    """What identifies the version of a part: the server's ETag, or its date."""
    return part.with_name(part.name + ".tag")
