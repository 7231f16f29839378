"""Join the shares of a study that were computed on several machines (`snakemake --config shard=2/4`)."""

import argparse
import os
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cascurve.errors import DataError
from cascurve.storage import content, replacing

RECORDS = Path(".snakemake", "metadata")
TIMED = ("cost.parquet", ".log")
"""Endings of files that hold times and so differ between two runs of the same job."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument(
        "shares", type=Path, nargs="+", help="working folders of the other runs: each with its results/ and .snakemake/"
    )
    parser.add_argument("--into", type=Path, default=Path(), help="working folder that gets them (default: here)")


def run(arguments: argparse.Namespace) -> int:
    """Check all shares, then copy what is not there yet; returns 0."""
    found: dict[Path, Path] = {}
    for share in arguments.shares:
        if not (share / "results").is_dir():
            raise DataError("there is no folder results/ in it", file=share, remedy="name the working folder of a run")
        for path in _finished(share):
            earlier = found.setdefault(path, share)
            _agree(path, earlier, share)
            _agree(path, arguments.into, share)
    new = [(path, share) for path, share in found.items() if not (arguments.into / path).exists()]
    for path, share in new:
        _copy(path, share, arguments.into)
    print(f"{len(new)} files copied, {len(found) - len(new)} were there; now run snakemake to finish the study")
    return 0


def _finished(share: Path) -> Iterator[Path]:
    """Files of the results, relative to the share, without those of a job that was cut short."""
    for path in sorted((share / "results").rglob("*")):
        relative = path.relative_to(share)
        cut_short = _record(share / ".snakemake" / "incomplete", relative).exists()
        if path.is_symlink() and not path.exists():
            raise DataError("leads into a cache that is not here", file=path, remedy="copy the share with rsync -aL")
        if not path.is_file() or path.name.startswith(".") or cut_short:
            continue
        _check(share, relative)
        yield relative


def _check(share: Path, path: Path) -> None:
    """Refuse a table that is damaged, or of which nothing is known: no later edit would ever rerun it."""
    if path.suffix == ".log":
        return
    if not (share / _record(RECORDS, path)).exists():
        remedy = "copy its .snakemake/metadata too"
        raise DataError("Snakemake has no record of how it was made", file=share / path, remedy=remedy)
    if path.suffix == ".parquet":
        try:
            pq.ParquetFile(share / path).close()
        except (pa.ArrowInvalid, OSError) as error:
            remedy = "delete it, and let that run make it again"
            raise DataError(f"not a readable Parquet file ({error})", file=share / path, remedy=remedy) from None


def _agree(path: Path, first: Path, second: Path) -> None:
    """Refuse two versions of the same file."""
    ours, theirs = first / path, second / path
    if first == second or path.name.endswith(TIMED) or not ours.exists():
        return
    if content(ours) != content(theirs):
        remedy = "run all shares with the same code, pins and study; nothing was copied"
        raise DataError(f"differs from {ours}", file=theirs, remedy=remedy)


def _copy(path: Path, share: Path, into: Path) -> None:
    """Copy a file, its time, and what Snakemake knows of how it was made: without that no edit would rerun it."""
    record = _record(RECORDS, path)
    if (share / record).exists():
        (into / record).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(share / record, into / record)
    with replacing(into / path) as partial:
        shutil.copy2(share / path, partial)


def _record(folder: Path, path: Path) -> Path:
    """Where Snakemake keeps its record of an output: the path in base64, cut into names of allowed length."""
    limit = os.pathconf(".", "PC_NAME_MAX") - 1
    name = urlsafe_b64encode(path.as_posix().encode()).decode()
    parts = [name[start : start + limit] for start in range(0, len(name), limit)]
    return folder.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])
