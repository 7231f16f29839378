"""The house keeps its floors: a module imports only from floors below it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "workflow" / "cascurve"
FLOORS = [
    {"errors", "seeding", "kernels", "provenance", "plugins", "process", "storage"},
    {"cascades", "graph", "dataset"},
    {"networks", "mechanisms", "formats"},
    {"disorder", "metrics", "models", "empirical"},
    {"curves", "timeaware", "novelty", "selection"},
    {"figures", "report", "reproduction", "study", "stages", "forking", "commands", "cli"},
]
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports inside the package are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("cascurve.")}
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_module_imports_only_from_floors_below(path: Path) -> None:
    own = FLOOR[room(path)]
    for other in imported_rooms(path):
        same_room_or_foundation = other == room(path) or own in (0, 1, 5)
        assert FLOOR[other] < own or (FLOOR[other] == own and same_room_or_foundation), f"{path.name} imports {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


def test_packages_import_nothing() -> None:
    """An `__init__` that imported its modules would make an edit of one rerun all of them."""
    for path in PACKAGE.rglob("__init__.py"):
        body = ast.parse(path.read_text()).body
        assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in body), path
