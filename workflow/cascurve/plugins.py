"""Plug-ins loaded by name: the name in the configuration is the module's name.

Every folder of plug-ins (`models/`, `metrics/`, `networks/`, ...) has one module per plug-in and an empty
`__init__.py`. A registry that imported them all would make an edit of one rerun all of them.
Parameters are read from the source without importing it, so that a configuration is checked in milliseconds.
"""

import ast
import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from cascurve.errors import ConfigError, UnknownNameError

PACKAGE = Path(__file__).resolve().parent
SUPPLIED = ("rng", "environment_rng", "graph", "threads")
ENTRY_POINTS = ("generate", "simulate", "Model", "measure", "score", "read", "subsample", "draw", "evaluate")


def names(folder: str) -> list[str]:
    """The plug-ins of a folder, sorted; modules whose name starts with '_' are helpers, not plug-ins."""
    return sorted(path.stem for path in (PACKAGE / folder).glob("[!_]*.py") if _entry(path) is not None)


def load(folder: str, name: str, where: str = "") -> ModuleType:
    """Import ``cascurve.<folder>.<name>``; an unknown name lists the folder."""
    require(folder, name, where)
    return importlib.import_module(module_name(folder, name))


def require(folder: str, name: str, where: str = "") -> None:
    """Raise `UnknownNameError` unless the folder has the plug-in; imports nothing."""
    if name not in names(folder):
        raise UnknownNameError(folder, name, names(folder), where)


def module_name(folder: str, name: str) -> str:
    """Dotted name of a plug-in's module."""
    return f"cascurve.{folder.replace('/', '.')}.{name}"


def check_parameters(folder: str, name: str, values: Mapping[str, object], where: str) -> None:
    """Check parameters from the configuration against the plug-in's own signature.

    Raises `ConfigError` for an unknown parameter or a value of the wrong type; annotations understood
    are int, float, str, bool, None, ``Literal[...]``, tuples of one of them, and unions of those.
    """
    known = parameters(folder, name)
    for key, value in values.items():
        if key not in known:
            allowed = ", ".join(sorted(known)) or "no parameters"
            raise ConfigError(f"{where}.{key}", value, f"a parameter of {folder}/{name}.py ({allowed})")
        if not _fits(value, known[key]):
            raise ConfigError(f"{where}.{key}", value, ast.unparse(known[key]))


@cache
def parameters(folder: str, name: str) -> dict[str, ast.expr]:
    """Parameter name -> annotation of a plug-in: keyword-only arguments of its function, or fields of its class.

    Arguments that the framework supplies (`SUPPLIED`) are not parameters.
    """
    path = PACKAGE / folder / f"{name}.py"
    entry = _entry(path)
    if isinstance(entry, ast.FunctionDef):
        return {
            arg.arg: _resolved(arg.annotation, path)
            for arg in entry.args.kwonlyargs
            if arg.annotation is not None and arg.arg not in SUPPLIED
        }
    fields = entry.body if isinstance(entry, ast.ClassDef) else []
    return {
        field.target.id: _resolved(field.annotation, path)
        for field in fields
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and not ast.unparse(field.annotation).startswith("ClassVar")
    }


@cache
def _entry(path: Path) -> ast.FunctionDef | ast.ClassDef | None:
    """The function or class by which a plug-in is used; None for a file that is not a plug-in."""
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in ENTRY_POINTS:
            return node
    return None


def _resolved(annotation: ast.expr, path: Path) -> ast.expr:
    """The annotation itself, or what it stands for if it is an alias of this package (``Cut = int | None``)."""
    if not isinstance(annotation, ast.Name):
        return annotation
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == annotation.id for target in node.targets):
            return node.value
        if isinstance(node, ast.ImportFrom) and annotation.id in [alias.name for alias in node.names]:
            source = PACKAGE.parent.joinpath(*(node.module or "").split(".")).with_suffix(".py")
            return _resolved(annotation, source) if source.is_file() else annotation
    return annotation


def _fits(value: object, annotation: ast.expr) -> bool:
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _fits(value, left) or _fits(value, right)
        case ast.Constant(value=None):
            return value is None
        case ast.Name(id="float"):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.Name(id="int"):
            return isinstance(value, int) and not isinstance(value, bool)
        case ast.Name(id="str"):
            return isinstance(value, str)
        case ast.Name(id="bool"):
            return isinstance(value, bool)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            options = choices.elts if isinstance(choices, ast.Tuple) else [choices]
            return any(isinstance(option, ast.Constant) and option.value == value for option in options)
        case ast.Subscript(value=ast.Name(id="tuple" | "Sequence" | "list"), slice=inner):
            element = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            return isinstance(value, list | tuple) and all(_fits(item, element) for item in value)
    return False
