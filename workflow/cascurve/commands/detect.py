"""Say which format a cascade file has, and why."""

import argparse
from pathlib import Path

from cascurve.errors import DataError
from cascurve.formats.detection import detect


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the subcommand."""
    parser.add_argument("files", type=Path, nargs="+", metavar="file", help="cascade files")


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each file; returns 1 if the format of one cannot be told."""
    status = 0
    for file in arguments.files:
        try:
            found = detect(file)
        except DataError as error:
            print(error)
            status = 1
        else:
            print(f"{file}: {found.format}: {found.reason}")
    return status
