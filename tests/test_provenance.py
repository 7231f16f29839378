"""Digests change with the code that is reached, and with nothing else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cascurve import provenance


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """A package with two models that share a module; returns the script that runs them."""
    root = tmp_path / "workflow"
    (root / "cascurve" / "models").mkdir(parents=True)
    (root / "cascurve" / "__init__.py").touch()
    (root / "cascurve" / "models" / "__init__.py").touch()
    (root / "cascurve" / "shared.py").write_text('"""Shared."""\n\ndef norm(x):\n    return x\n')
    for name in ("cdk", "pae"):
        (root / "cascurve" / "models" / f"{name}.py").write_text("from cascurve.shared import norm\nSCALE = 1\n")
    script = root / "rank.py"
    script.write_text('"""Rank."""\nimport json\n')
    monkeypatch.setattr(provenance, "ROOT", root)
    return script


@pytest.fixture
def digest(package, forget) -> Callable[[str], str]:
    def of(model: str) -> str:
        forget()
        return provenance.code_digest(package, f"cascurve.models.{model}")

    return of


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("models/cdk.py", "SCALE = 1", "SCALE = 2", {"cdk"}),
        ("shared.py", "return x", "return -x", {"cdk", "pae"}),
        ("shared.py", '"""Shared."""', '"""Other words."""', set()),
        ("shared.py", "def norm(x):", "# why\ndef norm(x  ):", set()),
        ("__init__.py", "", "VERSION = 1\n", {"cdk", "pae"}),
    ],
)
def test_an_edit_changes_exactly_what_reaches_it(package, digest, file, old, new, changes) -> None:
    before = {model: digest(model) for model in ("cdk", "pae")}
    path = package.parent / "cascurve" / file
    text = path.read_text()
    path.write_text(text.replace(old, new) if old else new)
    after = {model: digest(model) for model in ("cdk", "pae")}
    assert {model for model in before if before[model] != after[model]} == changes


def test_spec_is_canonical(package) -> None:
    one = provenance.spec(package, libraries=["numpy"], b=1, a=[2])
    assert one == provenance.spec(package, libraries=["numpy"], a=[2], b=1)
    assert json.loads(one)["a"] == [2]
    assert "numpy" in json.loads(one)["libraries"]
    assert one != provenance.spec(package, libraries=["numpy"], b=[2], a=1)


@pytest.mark.parametrize("spoil", ["", "{", "[]"])
def test_what_was_kept_of_a_file_changes_no_digest(package, digest, spoil) -> None:
    """A digest from what an earlier process kept is that of the files; a broken note is made again."""
    kept = package.parents[1] / ".cache" / "code"
    anew = digest("cdk")
    assert digest("cdk") == anew
    notes = list(kept.glob("*.json"))
    assert len(notes) == 5  # the script, two packages, shared, cdk
    for note in notes:
        note.write_text(spoil)
    assert digest("cdk") == anew
    assert all(len(json.loads(note.read_text())) == 2 for note in notes)
