"""Files of the user's in a study: plug-ins of one file, and a network's links; an edit reruns what uses them."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from cascurve import plugins
from cascurve.errors import CascurveError, ConfigError
from cascurve.provenance import code_digest
from cascurve.study.config import load

pytestmark = pytest.mark.whole

PROJECT = Path(__file__).parents[2]
DOCUMENT = (PROJECT / "docs" / "plugins.md").read_text(encoding="utf-8")
Run = Callable[..., subprocess.CompletedProcess[str]]


def block(language: str) -> str:
    """The one code block of a language in docs/plugins.md."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    return str(found)


MECHANISM = f"import pandas  # a user's file may, although jobs without one go without it\n{block('python')}"


@pytest.fixture(scope="module")
def study() -> dict[str, Any]:
    """The documented study, and beside its network one from a file: a one-way ring of 60 with chords, out-degree 4."""
    documented: dict[str, Any] = yaml.safe_load(block("yaml"))
    documented["synthetic"]["topologies"]["ring"] = {"use": "file", "path": "ring.txt", "directed": True}
    documented["synthetic"] |= {"degree": [4], "longest": 0.1}
    documented["models"] = {"random": {}}
    return documented


@pytest.fixture(scope="module")
def folder(study: dict[str, Any], snakemake: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own")
    (made / "fading.py").write_text(MECHANISM)
    links = [f"{user} {(user + step) % 60}" for user in range(60) for step in (1, 7, 19, 31)]
    (made / "ring.txt").write_text("\n".join(links))
    result = snakemake(made, study, "--cores", "2", "results/own/points.parquet")
    assert result.returncode == 0, result.stderr[-3000:]
    return made


def pending(folder: Path, study: dict[str, Any], snakemake: Run) -> set[str]:
    """Stage and topology of what a run would make, of what stands in cells."""
    result = snakemake(folder, study, "--summary")
    assert result.returncode == 0, result.stderr[-3000:]
    rows = [line.split("\t") for line in result.stdout.splitlines()[1:]]
    paths = [Path(row[0]).parts for row in rows if row[-1] == "update pending"]
    return {f"{path[2]} {path[3]}" for path in paths if len(path) > 3 and path[3].startswith("topology=")}


def test_the_documented_mechanism_yields_points(folder: Path) -> None:

    points = pq.read_table(folder / "results" / "own" / "points.parquet").to_pylist()
    assert {(row["group"], row["mechanism"], row["status"]) for row in points} == {
        ("er", "fading", "ok"), ("ring", "fading", "ok"),
    }  # fmt: skip
    for row in points:
        assert row["tries"] >= row["n_train"] + row["n_test"]
        assert 0 < row["reach_probability"] <= 1
        assert row["cold_source_share"] == 0
        assert 0 <= row["duplicate_share"] <= 1
        assert row["sources"] == 5


def test_nothing_is_pending_after_a_comment(folder: Path, study: dict[str, Any], snakemake: Run) -> None:
    (folder / "fading.py").write_text(MECHANISM + "\n# a comment\n")
    assert pending(folder, study, snakemake) == set()


def test_an_edit_of_the_mechanism_reruns_its_cells(folder: Path, study: dict[str, Any], snakemake: Run) -> None:
    (folder / "fading.py").write_text(MECHANISM.replace("0.9, fade", "0.8, fade"))
    found = pending(folder, study, snakemake)
    (folder / "fading.py").write_text(MECHANISM)
    assert {"cascades topology=er", "cascades topology=ring", "difficulty topology=er"} <= found
    assert not any(stage.startswith("networks") for stage in found)


def test_changed_links_rerun_their_network(folder: Path, study: dict[str, Any], snakemake: Run) -> None:
    path = folder / "ring.txt"
    before = path.read_text()
    path.write_text(before.replace("0 7\n", "0 8\n"))
    found = pending(folder, study, snakemake)
    path.write_text(before)
    assert {"networks topology=ring", "cascades topology=ring"} <= found
    assert not any("topology=er" in stage for stage in found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"use": "absent.py"}, ["synthetic.mechanisms.fading.use", "'absent.py'", "an existing file"]),
        ({"use": "empty.py"}, ["synthetic.mechanisms.fading.use", "a file that defines simulate"]),
        ({"use": "broken.py"}, ["broken.py:1", "not Python"]),
        ({"use": "fading.py", "fades": 1.0}, ["synthetic.mechanisms.fading.fades", "chance, fade"]),
        ({"use": "fading.py", "fade": "often"}, ["synthetic.mechanisms.fading.fade", "'often'", "a number"]),
    ],
)
def test_what_is_wrong_with_a_file_is_said_before_anything_runs(
    tmp_path: Path, study: dict[str, Any], monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], words: list[str]
) -> None:

    monkeypatch.chdir(tmp_path)
    (tmp_path / "fading.py").write_text(MECHANISM)
    (tmp_path / "empty.py").write_text("def generate(n, degree, *, rng): ...")
    (tmp_path / "broken.py").write_text("def simulate(")
    mechanisms = {"fading": change}
    topologies = {"er": {}}
    config = study | {"synthetic": study["synthetic"] | {"mechanisms": mechanisms, "topologies": topologies}}
    with pytest.raises(CascurveError) as caught:
        load(config)
    for word in words:
        assert word in str(caught.value)


def test_a_missing_network_file_is_named(
    tmp_path: Path, study: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.chdir(tmp_path)
    (tmp_path / "fading.py").write_text(MECHANISM)
    with pytest.raises(ConfigError, match=r"topologies\.ring\.path.*ring\.txt.*an existing file"):
        load(study)


MODEL = """
from dataclasses import dataclass
from pathlib import Path

@dataclass(frozen=True)
class Model:
    weights: str | Path
    power: float = 1.0
    def fit(self, train, *, graph=None, rng): ...
"""


def test_a_model_may_be_a_file_wherever_it_stands(tmp_path: Path) -> None:
    files = [tmp_path / "here" / "mine.py", tmp_path / "there" / "mine.py"]
    for file in files:
        file.parent.mkdir()
        file.write_text(MODEL)
    one, two = map(str, files)
    values = {"weights": one, "power": 2}
    plugins.check_parameters("models", one, values, "models.mine")
    assert plugins.files("models", one, values) == (one,)
    assert plugins.load("models", one).Model(**values).power == 2
    assert plugins.load("models", one) is not plugins.load("models", two)
    with pytest.raises(ConfigError, match=r"models\.mine\.weights.*absent.*an existing file"):
        plugins.check_parameters("models", one, {"weights": "absent"}, "models.mine")
    with pytest.raises(ConfigError, match=r"models\.mine\.weights.*no default"):
        plugins.check_parameters("models", one, {"power": 2}, "models.mine")
    with pytest.raises(ConfigError, match=r"topologies\.own\.path.*no default"):
        plugins.check_parameters("networks", "file", {}, "topologies.own")
    with pytest.raises(ConfigError, match=r"a file that defines simulate; the file has Model\(\)"):
        plugins.require("mechanisms", one, "synthetic.mechanisms.mine.use")
    script = PROJECT / "workflow" / "scripts" / "rank.py"
    assert code_digest(script, one) == code_digest(script, two) != code_digest(script)
