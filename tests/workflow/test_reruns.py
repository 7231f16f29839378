"""An edit reruns what depends on it: no job missed, none too many."""

import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.whole

PROJECT = Path(__file__).parents[2]


class Checkout:
    """A copy of the project that shares its compiled kernels."""

    def __init__(self, folder: Path, study: dict[str, Any]) -> None:
        self.folder = folder
        self.study = study
        folder.mkdir(exist_ok=True)
        for name in ("Snakefile", "workflow", "profiles"):
            source = PROJECT / name
            copied = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / name, ignore=copied) if source.is_dir() else shutil.copy(source, folder)
        (PROJECT / ".cache").mkdir(exist_ok=True)
        (folder / ".cache").symlink_to(PROJECT / ".cache")

    def snakemake(self, *options: str, study: dict[str, Any] | None = None, cache: Path | None = None) -> str:
        config = self.folder / "study.yaml"
        config.write_text(yaml.safe_dump(study or self.study))
        command = [sys.executable, "-m", "snakemake", "--configfile", str(config), *options]
        environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / ".xdg")}
        if cache is not None:
            command.append("--cache")
            environment["SNAKEMAKE_OUTPUT_CACHE"] = str(cache)
        result = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, env=environment, check=False, timeout=600
        )
        assert result.returncode == 0, (result.stdout + result.stderr)[-3000:]
        return result.stdout

    def pending(self, study: dict[str, Any] | None = None) -> set[str]:
        """Outputs that a run would make, as paths below the study's folder."""
        rows = [line.split("\t") for line in self.snakemake("--summary", study=study).splitlines()[1:]]
        paths = {row[0] for row in rows if row[-1] == "update pending"}
        stem = f"results/{self.study['study']}/"
        return {path.removeprefix(stem) for path in paths}

    def computed(self) -> set[str]:
        """Stages of which a job has really run since the last call, each with its model: it wrote to its log."""
        logs = [path for path in self.folder.glob("results/*/logs/**/*.log") if path.stat().st_size]
        found = {path.with_suffix(".parquet").as_posix().split("/logs/")[1] for path in logs}
        for path in logs:
            path.unlink()
        return kinds(found)

    @contextmanager
    def changed(self, file: str, change: Callable[[str], str]) -> Iterator[None]:
        """The text of a file changed for a while."""
        path = self.folder / file
        before = path.read_text()
        after = change(before)
        assert after != before
        path.write_text(after)
        try:
            yield
        finally:
            path.write_text(before)


def kinds(pending: set[str]) -> set[str]:
    """Stage of each pending output, with its model where it has one."""
    found = set()
    for path in pending:
        stage, _, rest = path.partition("/")
        stage = {"figures": f"figure {rest.split('.')[0]}"}.get(stage, stage.split(".")[0])
        stage = {"paired": "points", "fits": "curves", "nulls": "curves", "comparisons": "curves"}.get(stage, stage)
        model = next((part.removeprefix("model=") for part in path.split("/") if part.startswith("model=")), None)
        found.add(f"{stage} {model}" if model else stage)
    return found


FIGURES = {f"figure {name}" for name in ("fig2a", "fig2b", "curves", "bands", "difference")}
ANALYSES = {"bands", "collapse", "errors_in_x", "families"}
AFTER = {"points", "curves", "tables", "report"} | FIGURES | ANALYSES
MODELS = ("random", "popularity", "cdk")
SCORES = {"scores", "costs"}
RANKINGS = {f"rankings {model}" for model in MODELS}
CELLS = {"cascades", "difficulty"} | RANKINGS | SCORES


def code(text: str) -> str:
    return f"{text}\nEDITED = True\n"


def comment(text: str) -> str:
    return f"# edited\n\n\n{text}\n# edited\n"


def docstring(text: str) -> str:
    return text.replace('"""', '"""Edited. ', 1)


EDITS = {
    "models/cdk.py": (code, {"rankings cdk"} | SCORES | AFTER),
    "models/heat_kernel.py": (code, {"rankings cdk"} | SCORES | AFTER),
    "models/popularity.py": (code, {"rankings popularity"} | SCORES | AFTER),
    "models/interface.py": (code, RANKINGS | SCORES | AFTER),
    "models/iae.py": (code, set()),
    "mechanisms/ic.py": (code, CELLS | AFTER),
    "mechanisms/lt.py": (code, set()),
    "networks/er.py": (code, {"networks"} | CELLS | AFTER),
    "metrics/average_precision.py": (code, SCORES | AFTER),
    "metrics/scaled_map.py": (code, AFTER),
    "disorder/apce.py": (code, {"difficulty"} | AFTER),
    "curves/exp3.py": (code, AFTER - {"points", "collapse"}),
    "curves/comparison.py": (code, {"curves", "tables", "report"} | FIGURES),
    "curves/collapse.py": (code, {"collapse", "report"}),
    "curves/pow3.py": (code, {"families", "report"}),
    "figures/fig2b.py": (code, {"figure fig2b", "report"}),
    "figures/style.py": (code, FIGURES | {"report"}),
    "report/page.py": (code, {"report"}),
    "cascades.py": (code, CELLS | AFTER),
    "seeding.py": (comment, set()),
    "graph.py": (docstring, set()),
    "models/random.py": (docstring, set()),
    "metrics/relevant_ranks.py": (comment, set()),
}


@pytest.fixture(scope="module")
def checkout(tiny: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    tiny["synthetic"]["n"] = [40]
    made = Checkout(tmp_path_factory.mktemp("checkout"), tiny)
    made.snakemake("--cores", "2")
    assert made.pending() == set()
    return made


@pytest.mark.parametrize("file", EDITS)
def test_a_code_edit_reruns_exactly_what_depends_on_it(checkout: Checkout, file: str) -> None:
    change, expected = EDITS[file]
    with checkout.changed(f"workflow/cascurve/{file}", change):
        pending = checkout.pending()
    assert kinds(pending) == expected
    if file == "networks/er.py":
        cells = {path for path in pending if "topology=" in path}
        assert all("topology=er" in path for path in cells)


def test_a_script_edit_reruns_its_rule(checkout: Checkout) -> None:
    with checkout.changed("workflow/scripts/score.py", code):
        assert kinds(checkout.pending()) == SCORES | AFTER


def test_touched_files_rerun_nothing(checkout: Checkout) -> None:
    for path in checkout.folder.rglob("*.py"):
        path.touch()
    for path in checkout.folder.glob("results/tiny/networks/**/*.parquet"):
        path.touch()
    assert checkout.pending() == set()


def study_with(checkout: Checkout, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    study = copy.deepcopy(checkout.study)
    change(study)
    return study


def test_a_new_length_runs_only_the_new_cells(checkout: Checkout) -> None:
    study = study_with(checkout, lambda study: study["synthetic"]["lengths"].append(7))
    pending = checkout.pending(study)
    assert kinds(pending) == CELLS | AFTER
    assert all("/lengths=7/" in path for path in pending if "lengths=" in path)


def test_a_removed_model_runs_no_cell(checkout: Checkout) -> None:
    study = study_with(checkout, lambda study: study["models"].pop("cdk"))
    assert kinds(checkout.pending(study)) == AFTER


def test_a_parameter_reruns_its_model(checkout: Checkout) -> None:
    study = study_with(checkout, lambda study: study["models"]["cdk"].update(dimension=8))
    assert kinds(checkout.pending(study)) == {"rankings cdk"} | SCORES | AFTER


def test_a_new_measure_retrains_nothing(checkout: Checkout) -> None:
    study = study_with(checkout, lambda study: study.update(measures={"p5": {"use": "average_precision", "k": 5}}))
    assert kinds(checkout.pending(study)) == SCORES | AFTER


@pytest.mark.parametrize(
    ("library", "expected"), [("matplotlib", FIGURES | {"report"}), ("numba", {"networks"} | CELLS | AFTER)]
)
def test_a_changed_pin_reruns_what_uses_the_library(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, expected: set[str]
) -> None:
    metadata = tmp_path / f"{library}-99.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: {library}\nVersion: 99.0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert kinds(checkout.pending()) == expected


def test_an_error_in_a_spec_stops_the_run_instead_of_leaving_old_results(checkout: Checkout) -> None:
    chosen = "self.study.models[wildcards.model]"
    with (
        checkout.changed("workflow/cascurve/study/specs.py", lambda text: text.replace(chosen, f"{chosen}.nowhere")),
        pytest.raises(AssertionError, match="nowhere"),
    ):
        checkout.snakemake("--cores", "2", "--dry-run")


def test_a_cache_serves_other_checkouts_other_studies_and_reverted_edits(tiny: dict[str, Any], tmp_path: Path) -> None:
    cache, points = tmp_path / "cache", "results/tiny/points.parquet"
    cache.mkdir()
    study = copy.deepcopy(tiny)
    study["synthetic"] |= {"topologies": {"er": {}}, "n": [40]}
    study["models"] = {"popularity": {}, "cdk": {"updates": 2000}}
    first, second = (Checkout(tmp_path / name, study) for name in ("first", "second"))
    first.snakemake("--cores", "2", points, cache=cache)
    everything = {"networks", "cascades", "difficulty", "rankings cdk", "rankings popularity", "scores", "points"}
    assert first.computed() == everything
    second.snakemake("--cores", "2", points, cache=cache)
    assert second.computed() == {"points"}

    with second.changed("workflow/cascurve/models/cdk.py", code):
        second.snakemake("--cores", "2", points, cache=cache)
        assert second.computed() == {"rankings cdk", "scores", "points"}
    second.snakemake("--cores", "2", points, cache=cache)
    assert second.computed() == {"points"}  # the points are not cached, and cost nothing
    with second.changed("workflow/cascurve/networks/er.py", code):
        second.snakemake("--cores", "2", points, cache=cache)
        assert second.computed() == everything

    other = copy.deepcopy(study) | {"study": "other"}
    other["models"].pop("popularity")
    other["synthetic"]["lengths"].append(7)
    second.snakemake("--cores", "2", "results/other/points.parquet", study=other, cache=cache)
    logs = second.folder.glob("results/other/logs/rankings/**/*.log")
    assert {path.name for path in logs if path.stat().st_size} == {"lengths=7.log"}
