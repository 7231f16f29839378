"""Files of other programs, as commands read them: by a format and options ``KEY=VALUE``."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from cascurve import plugins
from cascurve.errors import ConfigError
from cascurve.formats.imported import Imported


def add_reader_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments ``--format`` and ``--option``."""
    parser.add_argument("--format", choices=plugins.names("formats"), help="format; found out if left out")
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="parameter of the reader, such as unit=hours"
    )


def read_foreign(
    files: Mapping[str, Path], name: str, options: Sequence[str], *, graph: Path | None = None
) -> Imported:
    """Files by part, in the format of that name; raises `ConfigError` for options that its reader does not take."""
    parameters = dict(map(_option, options))
    plugins.check_parameters("formats", name, parameters, "--option")
    try:
        imported: Imported = plugins.load("formats", name).read(files, graph=graph, **parameters)
    except ConfigError as error:
        raise error.within("--option") from None
    return imported


def _option(text: str) -> tuple[str, Any]:
    key, mark, value = text.partition("=")
    if not mark:
        raise ConfigError("--option", text, "KEY=VALUE, such as unit=hours")
    return key, yaml.safe_load(value)
