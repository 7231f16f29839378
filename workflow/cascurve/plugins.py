"""Plug-ins loaded by name: the name in the configuration is the module's name, or the path of a user's own file.

Every folder of plug-ins (`models/`, `metrics/`, `networks/`, ...) has one module per plug-in and an empty
`__init__.py`. A registry that imported them all would make an edit of one rerun all of them. A name that ends in
``.py`` is a file anywhere, with what the modules of the folder have; docs/plugins.md shows one.
Parameters are read from the source without importing it, so that a configuration is checked in milliseconds.
"""

import ast
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from cascurve.errors import ConfigError, DataError, UnknownNameError

PACKAGE = Path(__file__).resolve().parent
KINDS = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "Path": "a file's path"}
"""Annotations in words."""
SUPPLIED = ("rng", "key", "environment_rng", "graph", "threads", "measure")
ENTRY_POINTS = (
    "generate",
    "simulate",
    "Model",
    "measure",
    "score",
    "read",
    "prepare",
    "subsample",
    "grade",
    "draw",
    "evaluate",
)

_LOADED: dict[tuple[str, str], ModuleType] = {}


def names(folder: str) -> list[str]:
    """The plug-ins of a folder, sorted; modules whose name starts with '_' are helpers, not plug-ins."""
    return sorted(path.stem for path in (PACKAGE / folder).glob("[!_]*.py") if _entry(path) is not None)


def load(folder: str, name: str, where: str = "") -> ModuleType:
    """Import ``cascurve.<folder>.<name>``, or the file of that name; an unknown name lists the folder."""
    if _is_file(name):
        require(folder, name, where)
        return _load_file(Path(name).resolve())
    if (folder, name) not in _LOADED:  # looking through a folder takes longer than many a measure
        require(folder, name, where)
        _LOADED[folder, name] = importlib.import_module(module_name(folder, name))
    return _LOADED[folder, name]


def require(folder: str, name: str, where: str = "") -> None:
    """Check that the plug-in is there; imports nothing.

    Raises
    ------
    UnknownNameError : when the folder has no such module.
    ConfigError : when there is no such file, or it has not the function or class that plug-ins of the folder have.
    DataError : when the file is not Python.
    """
    if not _is_file(name):
        own = _path(folder, name)
        if name.startswith("_") or not own.is_file() or _entry(own) is None:  # only now the whole folder is read
            raise UnknownNameError(folder, name, names(folder), where)
        return
    path = Path(name)
    if not path.is_file():
        raise ConfigError(where or folder, name, f"an existing file (looked for {path.resolve()})")
    known = {entry.name for entry in (_entry(_path(folder, other)) for other in names(folder)) if entry}
    entry = _entry(path)
    if entry is None or entry.name not in known:
        found = f"; the file has {entry.name}()" if entry else ""
        raise ConfigError(where or folder, name, f"a file that defines {' or '.join(sorted(known))}{found}")


def module_name(folder: str, name: str) -> str:
    """Dotted name of a plug-in's module; a user's file is its own name."""
    return name if _is_file(name) else f"cascurve.{folder.replace('/', '.')}.{name}"


def check_parameters(folder: str, name: str, values: Mapping[str, object], where: str) -> None:
    """Check parameters from the configuration against the plug-in's own signature.

    Annotations understood are int, float, str, bool, None, Path, ``Literal[...]``, tuples of one of them, and unions of
    those.

    Raises
    ------
    ConfigError : for an unknown parameter, a value of the wrong type, a file that does not exist, or a missing
        parameter without a default.
    """
    known = parameters(folder, name)
    for key, value in values.items():
        if key not in known:
            allowed = ", ".join(sorted(known)) or "no parameters"
            file = name if _is_file(name) else f"{folder}/{name}.py"
            raise ConfigError(f"{where}.{key}", value, f"a parameter of {file} ({allowed})")
        if not _fits(value, known[key]):
            raise ConfigError(f"{where}.{key}", value, in_words(known[key]))
        if _names_file(known[key]) and not Path(str(value)).is_file():
            raise ConfigError(f"{where}.{key}", value, f"an existing file (looked for {Path(str(value)).resolve()})")
    for key in _required(folder, name):
        if key not in values:
            raise ConfigError(f"{where}.{key}", None, f"{in_words(known[key])}; it has no default")


def in_words(annotation: ast.expr) -> str:
    """What a parameter with this annotation may be, for people who do not read Python."""
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{in_words(left)} or {in_words(right)}"
        case ast.Constant(value=None):
            return "nothing (null)"
        case ast.Name(id=name) if name in KINDS:
            return KINDS[name]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            options = choices.elts if isinstance(choices, ast.Tuple) else [choices]
            words = ", ".join(str(ast.literal_eval(option)) for option in options)
            return f"one of {words}" if len(options) > 1 else f"the word {words}"
        case ast.Subscript(value=ast.Name(id="tuple" | "Sequence" | "list"), slice=inner):
            return f"a list, each of it {in_words(inner.elts[0] if isinstance(inner, ast.Tuple) else inner)}"
    return ast.unparse(annotation)


def files(folder: str, name: str, values: Mapping[str, object]) -> tuple[str, ...]:
    """Files that a plug-in reads: the values of its parameters that may be a ``Path``."""
    known = parameters(folder, name)
    return tuple(str(value) for key, value in values.items() if _names_file(known[key]))


@cache
def needs(folder: str, name: str) -> tuple[str, ...]:
    """What a plug-in takes besides what all of its folder do; read without importing it.

    A class says it in ``needs: ClassVar[tuple[str, ...]] = (...)``, a module in ``NEEDS = (...)``.
    """
    path = _path(folder, name)
    entry = _entry(path)
    fields = entry.body if isinstance(entry, ast.ClassDef) else []
    stated = {ast.unparse(field.target): field.value for field in fields if isinstance(field, ast.AnnAssign)}
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Assign):
            stated |= {
                ast.unparse(target).lower(): node.value for target in node.targets if ast.unparse(target) == "NEEDS"
            }
    value = stated.get("needs")
    return () if value is None else tuple(ast.literal_eval(value))


@cache
def parameters(folder: str, name: str) -> dict[str, ast.expr]:
    """Parameter name -> annotation of a plug-in: keyword-only arguments of its function, or fields of its class.

    Arguments that the framework supplies (`SUPPLIED`) are not parameters.
    """
    path = _path(folder, name)
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
def _required(folder: str, name: str) -> list[str]:
    """Parameters without a default."""
    known, entry = parameters(folder, name), _entry(_path(folder, name))
    if isinstance(entry, ast.FunctionDef):
        given = zip(entry.args.kwonlyargs, entry.args.kw_defaults, strict=True)
        return [arg.arg for arg, default in given if default is None and arg.arg in known]
    fields = [field for field in entry.body if isinstance(field, ast.AnnAssign)] if entry else []
    return [key for key in (ast.unparse(field.target) for field in fields if field.value is None) if key in known]


def _is_file(name: str) -> bool:
    return name.endswith(".py")


def _path(folder: str, name: str) -> Path:
    return Path(name) if _is_file(name) else PACKAGE / folder / f"{name}.py"


def _load_file(path: Path) -> ModuleType:
    """The module of a user's file, by a name of its own: two studies may both have a ``mine.py``."""
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _names_file(annotation: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "Path" for node in ast.walk(annotation))


@cache
def _entry(path: Path) -> ast.FunctionDef | ast.ClassDef | None:
    """The function or class by which a plug-in is used; None for a file that is not a plug-in."""
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError as error:
        raise DataError(f"not Python: {error.msg}", file=path, line=error.lineno) from error
    for node in tree.body:
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
        case ast.Name(id="str" | "Path"):
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
