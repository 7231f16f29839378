"""Limits of the numbers that commands take."""

import argparse

from cascurve.errors import ConfigError


def at_least(arguments: argparse.Namespace, **least: int) -> None:
    """Raise `ConfigError` for an argument below its least value; one that was not given (None) is none."""
    for name, limit in least.items():
        value = getattr(arguments, name)
        if value is not None and value < limit:
            raise ConfigError(f"--{name.replace('_', '-')}", value, f"an integer >= {limit}")
