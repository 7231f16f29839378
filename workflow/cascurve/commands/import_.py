"""Import cascade files into Parquet, and print what became of every line."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cascurve.commands._foreign import add_reader_arguments, read_foreign
from cascurve.errors import ConfigError
from cascurve.formats.account import Step, total
from cascurve.formats.detection import detect_parts

NUMBERS = ("cascades", "users", "participations", "links")
PARTS = ("train", "valid", "test")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("file", type=Path, help="cascade file; with --train and the like, it is left out", nargs="?")
    for part in PARTS:
        parser.add_argument(f"--{part}", type=Path, metavar="FILE", help=f"the {part} part of a given split")
    parser.add_argument("--graph", type=Path, metavar="FILE", help="link file")
    add_reader_arguments(parser)
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write cascades, users, network and account here")


def run(arguments: argparse.Namespace) -> int:
    """Print the account; returns 0."""
    files = {part: getattr(arguments, part) for part in PARTS if getattr(arguments, part)}
    if (arguments.file is None) == (not files):
        raise ConfigError(
            "file", arguments.file and str(arguments.file), "one file, or parts by --train, --valid, --test"
        )
    files = files or {"all": arguments.file}
    name = arguments.format
    if name is None:
        found = detect_parts(files)
        name = found.format
        print(f"format: {name} ({found.reason})", file=sys.stderr)
    imported = read_foreign(files, name, arguments.option, graph=arguments.graph)
    print("\n".join(_lines(imported.account)))
    if arguments.output is not None:
        arguments.output.mkdir(parents=True, exist_ok=True)
        imported.write(arguments.output)
        print(f"written: {arguments.output}/cascades.parquet, users, network and account", file=sys.stderr)
    return 0


def _lines(account: Iterable[Step]) -> Iterator[str]:
    rows = list(account)
    rows.append(replace(total(rows), step="left"))
    width = max(len(row.step) for row in rows)
    yield f"{'':{width}}" + "".join(f"{name:>16}" for name in NUMBERS)
    for row in rows:
        numbers = "".join(f"{getattr(row, name):>16,}" for name in NUMBERS)
        yield f"{row.step:{width}}{numbers}" + (f"  {row.note}" if row.note else "")
