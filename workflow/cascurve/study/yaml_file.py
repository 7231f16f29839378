"""A YAML file read strictly: a key that stands twice is an error, where a parser would silently take the last."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from cascurve.errors import DataError


def read(path: str | Path, what: str = "study") -> dict[str, Any]:
    """The keys of a YAML file.

    Parameters
    ----------
    what : what the file should be, for messages.

    Raises
    ------
    DataError : not readable, not YAML, not a mapping, or a key that stands twice; with file and line.
    """
    remedy = f"correct it, or name another {what}"
    try:
        with open(path, encoding="utf-8") as file:
            raw = yaml.load(file, _StrictLoader)
    except OSError as error:
        problem = f"the {what} cannot be read ({error.strerror})"
        raise DataError(problem, file=path, remedy="check the path") from None
    except _RepeatedKeyError as error:
        first, second = error.lines
        message = f"the key '{error.key}' stands twice, in lines {first} and {second}"
        raise DataError(message, file=path, line=second, remedy="delete or rename one of them") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        raise DataError("not a YAML file", file=path, line=line, remedy=remedy) from None
    if not isinstance(raw, dict):
        raise DataError(f"expected the keys of a {what}, found {raw!r:.60}", file=path, remedy=remedy)
    return raw


class _RepeatedKeyError(Exception):
    def __init__(self, key: object, lines: tuple[int, int]) -> None:
        super().__init__(key)
        self.key, self.lines = key, lines


class _StrictLoader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """As PyYAML, after a look at the keys as they are written; what `<<` merges in may be overridden."""
        seen: dict[Hashable, int] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if isinstance(key, Hashable) and key in seen:
                raise _RepeatedKeyError(key, (seen[key], line))
            if isinstance(key, Hashable):
                seen[key] = line
        return super().construct_mapping(node, deep)
