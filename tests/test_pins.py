"""One set of pins: pyproject.toml says them, the other files repeat them."""

import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]


def pins(requirements: list[str]) -> dict[str, str]:
    found = {}
    for requirement in map(Requirement, requirements):
        versions = list(requirement.specifier)
        assert len(versions) == 1 and versions[0].operator == "==", f"{requirement} is not pinned"
        found[requirement.name.lower()] = versions[0].version
    return found


def test_conda_environment_equals_the_pins() -> None:
    environment = yaml.safe_load((PROJECT / "envs" / "cascurve.yaml").read_text())
    conda = dict(item.split("=", 1) for item in environment["dependencies"] if not item.startswith("python"))
    assert conda == pins(PYPROJECT["dependencies"])


def test_constraints_hold_every_direct_pin() -> None:
    lines = (PROJECT / "constraints.txt").read_text().splitlines()
    locked = {name: version for name, _, version in (line.split(" ;")[0].partition("==") for line in lines)}
    extras = PYPROJECT["optional-dependencies"].values()
    direct = [item for extra in extras for item in extra if not item.startswith("cascurve")]
    for name, version in pins(PYPROJECT["dependencies"] + direct).items():
        assert locked[name] == version
