"""Which format a file has, and why: each format says whether the first lines are its own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cascurve import plugins
from cascurve.errors import DataError
from cascurve.formats.long_parquet import column_names, is_parquet
from cascurve.formats.text import NOT_GZIP, opened

LINES = 20
BYTES = 1 << 16
NAME_IT = "name the format (key 'format' of a study, --format of a command)"


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
    fits = _fits(path, sample)
    if len(fits) == 1:
        return Detection(*fits.popitem())
    known = ", ".join(plugins.names("formats"))
    lines = sample or [""]
    message = (
        f"the format cannot be told from the first {len(lines)} lines, beginning {lines[0][:60]!r}: it fits "
        f"{_listed(fits) or f'none of {known}'}"
    )
    raise DataError(message, file=path, remedy=NAME_IT)


def detect_parts(files: Mapping[str, str | Path]) -> Detection:
    """The one format of all parts of a set: that of the first, which the others must fit too.

    Parameters
    ----------
    files : part -> file.

    Raises
    ------
    DataError : the format of the first cannot be told, or another file is not of it.
    """
    first, *others = files.values()
    found = detect(first)
    for path in others:
        fits = _fits(path, _sample(path))
        if found.format not in fits:
            message = f"expected the format {found.format}, as {first} has ({found.reason}); it fits "
            remedy = f"give all parts in one format, or {NAME_IT}"
            raise DataError(message + (_listed(fits) or "no format"), file=path, remedy=remedy)
    return found


def _fits(path: str | Path, sample: list[str] | None) -> dict[str, str]:
    """Format -> why, of each that takes the first lines as its own."""
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
    return fits


def _listed(fits: Mapping[str, str]) -> str:
    return "; ".join(f"{name} ({reason})" for name, reason in fits.items())


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


def _parquet(path: str | Path) -> dict[str, str]:
    names, ours = column_names(path)
    if ours:
        return {"cascades": "a Parquet file of this project"}
    return {"table": f"a Parquet file with the columns {', '.join(names)}"}
