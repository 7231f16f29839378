"""Which format a file has, and why: each format says whether the first lines are its own."""

import re
from dataclasses import dataclass
from pathlib import Path

from cascurve import plugins
from cascurve.errors import DataError
from cascurve.formats.long_parquet import column_names, is_parquet
from cascurve.formats.text import NOT_GZIP, opened

LINES = 20
BYTES = 1 << 16


@dataclass(frozen=True)
class Detection:
    """The format and the evidence for it, as a phrase."""

    format: str
    reason: str


def detect(path: str | Path) -> Detection:
    """The format of a cascade file.

    Raises
    ------
    DataError : no format, or more than one, fits; the message lists what was looked at.
    """
    sample = _sample(path)
    if sample is None:
        return _parquet(path)
    if not sample:
        raise DataError("the file is empty", file=path, remedy="name a file that has cascades in it")
    fits = {}
    for name in plugins.names("formats"):
        module = plugins.load("formats", name)
        reason = module.sniff(sample) if hasattr(module, "sniff") else None
        if reason:
            fits[name] = reason
    if len(fits) == 1:
        return Detection(*fits.popitem())
    known = ", ".join(plugins.names("formats"))
    found = "; ".join(f"{name} ({reason})" for name, reason in fits.items()) or f"none of {known}"
    message = (
        f"the format cannot be told from the first {len(sample)} lines, beginning {sample[0][:60]!r}: it fits {found}"
    )
    raise DataError(message, file=path, remedy="name the format (key 'format' of a study, --format of a command)")


def _sample(path: str | Path) -> list[str] | None:
    """The first whole lines that are not blank; None for a Parquet file."""
    try:
        with opened(path) as file:
            data = file.read(BYTES)
            more = bool(file.read(1))
    except NOT_GZIP as error:
        raise DataError(f"not a whole gzip file ({error})", file=path) from None
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror})", file=path, remedy="check the path") from None
    if is_parquet(path):
        return None
    text = data.decode("utf-8-sig", errors="replace")
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
    return lines[:-1][:LINES] if more and len(lines) > 1 else lines[:LINES]


def _parquet(path: str | Path) -> Detection:
    names, ours = column_names(path)
    if ours:
        return Detection("cascades", "a Parquet file of this project")
    return Detection("table", f"a Parquet file with the columns {', '.join(names)}")
