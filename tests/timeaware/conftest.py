"""TAIA's published tables and the values that its original code gave for a small made-up input."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cascurve.timeaware.evaluation import Evaluation, evaluate
from cascurve.timeaware.judgments import Judgments, read_judgments
from cascurve.timeaware.slices import KBA_END, KBA_START, slicing


@pytest.fixture(scope="session")
def taia(shared_data: Path) -> Path:
    """The folder of TAIA's tables."""
    folder = shared_data / "taia"
    if not (folder / "gold_metrics.json").is_file():
        pytest.skip(f"no TAIA values at {folder}")
    return folder


@pytest.fixture(scope="session")
def gold(taia: Path) -> dict[str, Any]:
    return json.loads((taia / "gold_metrics.json").read_text())


@pytest.fixture(scope="session")
def tiny(gold, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Path]:
    """(run files, judgment file) of the small input."""
    folder = tmp_path_factory.mktemp("tiny")
    runs = []
    for name, table in gold["pipeline_tiny"]["runs"].items():
        runs.append(folder / f"{name}.txt")
        runs[-1].write_text("# a run\n" + "".join("\t".join(row) + "\n" for row in table["rows"]))
    judged = folder / "judgments.txt"
    judged.write_text("".join("\t".join(row) + "\n" for row in gold["pipeline_tiny"]["judgments"]["rows"]))
    return runs, judged


@pytest.fixture(scope="session")
def judgments(gold, tiny) -> Judgments:
    return read_judgments([tiny[1]], start=KBA_START, end=KBA_END, entities=gold["pipeline_tiny"]["entities"])


@pytest.fixture(scope="session")
def evaluations(tiny, judgments) -> list[Evaluation]:
    """Both judgment levels of the small input."""
    slicings = [slicing(name, KBA_START, KBA_END) for name in ("all", "week", "day")]
    return evaluate(tiny[0], judgments, slicings)[0]


@pytest.fixture(scope="session")
def published(taia: Path) -> dict[str, list[dict[str, str]]]:
    """Table -> rows of the results published for TREC KBA 2012."""
    found = {}
    for name in ("overall_stats", "entity_stats", "weights_over_time"):
        with open(taia / "published" / f"{name}.tsv", newline="") as file:
            found[name] = list(csv.DictReader(file, delimiter="\t"))
    return found
