"""The command `cascurve`: a thin shell around the package; each subcommand is one module of `commands/`."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from cascurve.errors import CascurveError

MODULES = {path.stem.rstrip("_"): path.stem for path in (Path(__file__).parent / "commands").glob("[!_]*.py")}
"""Command -> module; a word of Python's own has a trailing underscore in the module's name."""
COMMANDS = sorted(MODULES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; returns the exit status. Errors of the user's input are told in one line."""
    parser = argparse.ArgumentParser(prog="cascurve", description="Honest evaluation of diffusion prediction models.")
    parser.add_argument("command", choices=COMMANDS, help="what to do; `cascurve COMMAND --help` tells more")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    command = importlib.import_module(f"cascurve.commands.{MODULES[chosen.command]}")
    subparser = argparse.ArgumentParser(prog=f"cascurve {chosen.command}", description=command.__doc__)
    command.add_arguments(subparser)
    try:
        status: int = command.run(subparser.parse_args(chosen.rest))
    except CascurveError as error:
        print(f"cascurve: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:  # an output that cannot be written, such as a folder of that name
        print(f"cascurve: error: {error.filename2 or error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return 1
    return status
