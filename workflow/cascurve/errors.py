"""One error type per kind of fault, each with a message that a user can act on.

Every message says what was expected, what was found, where, and what to do. The command line and the
workflow's scripts print the message alone; a traceback means a fault of ours.
"""

from collections.abc import Iterable
from pathlib import Path


class CascurveError(Exception):
    """Base of all errors that are the input's fault, not the program's."""


class ConfigError(CascurveError):
    """A key of the study's configuration does not hold what it may hold."""

    def __init__(self, key: str, found: object, expected: str, remedy: str = "") -> None:
        super().__init__(f"config key '{key}': found {found!r}, expected {expected}{_sentence(remedy)}")
        self.key = key
        self._rest = (found, expected, remedy)

    def within(self, parent: str) -> "ConfigError":
        """The same error, its key below `parent`: whoever raises it need not know where the value came from."""
        return ConfigError(f"{parent}.{self.key}", *self._rest)


class UnknownNameError(CascurveError):
    """A name in the configuration has no module in the folder where it is looked up."""

    def __init__(self, folder: str, name: str, known: Iterable[str], where: str = "") -> None:
        choices = ", ".join(sorted(known))
        place = f" (config key '{where}')" if where else ""
        super().__init__(
            f"there is no {folder} module '{name}'{place}; the folder workflow/cascurve/{folder} has: {choices}"
        )


class DataError(CascurveError):
    """A file or an in-memory data structure breaks its format."""

    def __init__(
        self, message: str, *, file: str | Path | None = None, line: int | None = None, remedy: str = ""
    ) -> None:
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(f"{place}{message}{_sentence(remedy)}")
        self.file = file
        self.line = line


class CellError(CascurveError):
    """One cell of the grid has no result for a reason that lies in the cell; its neighbours go on."""


def _sentence(remedy: str) -> str:
    return f"; {remedy}" if remedy else ""
