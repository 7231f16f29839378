"""What made a file: the digest of the code, the versions of the libraries, the values used.

Snakemake sees neither imported modules nor a parameter's name. So each rule has one parameter, a canonical
JSON string made by `spec`; when it differs from the recorded one, the job reruns, and only then.
Comments, docstrings and formatting do not count, and the digest is the same under every Python version.
"""

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import NamedTuple

LIBRARIES = ("matplotlib", "networkx", "numba", "numpy", "pandas", "pyarrow", "scipy", "seaborn", "snakemake")
"""The pinned libraries that a study runs on."""

ROOT = Path(__file__).resolve().parents[1]  # the folder that holds the package


def spec(script: Path, *, modules: Iterable[str] = (), libraries: Iterable[str] = (), **values: object) -> str:
    """Canonical JSON of all that a job depends on besides its input files.

    Parameters
    ----------
    script : the rule's script.
    modules : dotted names, or files of the user's, that the script imports only at run time (plug-ins).
    libraries : distributions whose version changes results.
    values : the configuration values that the job uses; anything JSON can hold.
    """
    made_by = {"code": code_digest(script, *modules), "libraries": {name: _version(name) for name in libraries}}
    return _canonical(values | made_by)


@cache
def code_digest(script: Path, *modules: str) -> str:
    """Digest of `script` and of every module of this package that it or `modules` reach through imports."""
    roots = {script.resolve(), *chain.from_iterable(map(_files, modules))}
    digest = hashlib.sha256()
    for path in sorted(_reachable(roots), key=lambda path: (path.name, path)):  # wherever a user's file may stand
        digest.update(f"{path.name}\n{_facts(path).code}\n".encode())
    return digest.hexdigest()[:16]


@cache
def kernel_digest() -> str:
    """Digest of numba's version, of every module that holds a compiled kernel, and of what those import.

    Numba stamps a cached kernel with its own file only: after an edit of a callee, or of a constant, in another
    module it would go on with the old machine code. A cache folder named by this digest cannot go stale.
    """
    digest = hashlib.sha256(_version("numba").encode())
    kernels = (path for path in (ROOT / "cascurve").rglob("*.py") if "numba" in path.read_text(encoding="utf-8"))
    for path in sorted(_reachable(kernels)):
        digest.update(f"{path.relative_to(ROOT)}\n{_facts(path).code}\n".encode())
    return digest.hexdigest()[:16]


_canonical = json.JSONEncoder(sort_keys=True).encode  # json.dumps makes an encoder for every job
_version = cache(metadata.version)  # it reads a file each time, and a large study asks for thousands of specs


def _reachable(roots: Iterable[Path]) -> set[Path]:
    seen: set[Path] = set()
    todo = set(roots)
    while todo:
        path = todo.pop()
        seen.add(path)
        todo |= _imported(path) - seen
    return seen


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The project's files that a file imports."""
    return frozenset(chain.from_iterable(map(_files, _facts(path).imports)))


def _files(name: str) -> Iterator[Path]:
    """The project's files behind a dotted name: each package's ``__init__.py`` and the module; or a user's file."""
    if name.endswith(".py"):
        yield Path(name).resolve()
    parts = name.split(".")
    for stop in range(1, len(parts) + 1):
        base = ROOT.joinpath(*parts[:stop])
        yield from filter(Path.is_file, (base / "__init__.py", base.with_suffix(".py")))


class _Facts(NamedTuple):
    """Of one file: the digest of its code without comments, docstrings and formatting, and the dotted names that it
    imports."""

    code: str
    imports: tuple[str, ...]


@cache
def _own_code() -> bytes:
    return Path(__file__).read_bytes()


@cache
def _facts(path: Path) -> _Facts:
    """Parsed once per content of the file: each start of Snakemake, and each job on a cluster, asks for all files."""
    package = path.relative_to(ROOT).parts[:-1] if path.is_relative_to(ROOT) else ()
    text = path.read_bytes()
    key = hashlib.sha256(repr((_own_code(), package, text)).encode()).hexdigest()
    kept = ROOT.parent / ".cache" / "code" / f"{key}.json"
    try:
        code, imports = json.loads(kept.read_bytes())
    except (OSError, ValueError):
        tree = _tree(text)
        code, imports = hashlib.sha256(ast.unparse(tree).encode()).hexdigest(), list(_names(tree, package))
        with suppress(OSError):  # where nobody may write; half a file is no JSON, and made again
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps([code, imports]), encoding="utf-8")
    return _Facts(code, tuple(imports))


def _names(tree: ast.Module, package: tuple[str, ...]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def _tree(text: bytes) -> ast.Module:
    """Syntax tree of a file, less its docstrings."""
    tree = ast.parse(text)
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree
