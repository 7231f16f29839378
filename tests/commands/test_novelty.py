"""`cascurve novelty`: RELISON's files in, its table out, and faults told by file and line or by key."""

import json
from pathlib import Path

import pytest

from cascurve.cli import main

CONFIG = """
algorithms: {Random: {}}
metrics:
  LTN:
    cutoff: {type: int, values: [1, 2]}
  Mean prediction distance:
    cutoff:
      type: int
      range:
        - {start: 1, end: 3, step: 2}
  Unexpectedness: {cutoff: {type: int, values: 2}}
  nDCG: {cutoff: {type: int, values: 10}}
  serendipity: {reading: formula}
"""
GRAPH = "1\t2\n1\t3\t0.5\n2\t3\t1.0\t4\n3\t4\n4\t1\n5\t1\n2\t6\n"
LISTS = "1\t4\t0.9\n2\t4\t0.7\n1\t6\t0.8\n2\t1\t0.2\n"
FEATURES = "1\ta\t1\n2\ta\t0.5\n2\tb\t0.5\n3\tb\t1\n4\tc\t2\n4\ta\t1\n5\tc\t1\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"config.yml": CONFIG, "graph.txt": GRAPH, "random": LISTS, "features.txt": FEATURES, "test.txt": "1\t4\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {Path(name).stem: tmp_path / name for name in texts}


def command(files: dict[str, Path], *more: object) -> int:
    given = ["--config", files["config"], "--graph", files["graph"], "--recommendations", files["random"]]
    return main(["novelty", *map(str, [*given, *more])])


def table(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, str]], str]:
    text = capsys.readouterr()
    header, *rows = [line.split("\t") for line in text.out.splitlines()]
    return [dict(zip(header, row, strict=True)) for row in rows], text.err


def test_a_table_as_relison_writes_it(files, capsys, tmp_path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "second").write_text("5\t3\t1\n")
    more = ["--features", files["features"], "--test", files["test"], "-o", tmp_path / "evaluation.txt"]
    assert command(files, tmp_path / "lists", *more) == 0
    (first, second), said = table(capsys)
    assert "left out, no metrics of novelty: nDCG" in said
    assert list(first) == [
        "Variant", "Fraction", "LTN@1", "LTN@2", "Mean prediction distance@1", "Mean prediction distance@3",
        "Unexpectedness@2", "serendipity",
    ]  # fmt: skip
    assert (first["Variant"], first["Fraction"], second["Variant"], second["Fraction"]) == (
        "random", "0.5", "second", "1.0",
    )  # fmt: skip
    assert float(first["LTN@1"]) == pytest.approx(1 - 1 / 5)  # 4 has one in-link; five users have out-links
    assert float(first["LTN@2"]) == pytest.approx(1 - (1 + 1 + 1 + 2) / 4 / 5)
    assert float(first["Mean prediction distance@1"]) == pytest.approx(0.0)
    assert float(first["Mean prediction distance@3"]) == pytest.approx(4 / (1.5 + 1 / 3) - 2)
    assert (tmp_path / "evaluation.txt").read_text().splitlines()[0].startswith("Variant\tFraction\tLTN@1\t")


def test_the_files_of_the_gold_cases_give_its_values(shared_data, capsys, tmp_path) -> None:
    path = shared_data / "relison" / "gold_novelty.json"
    if not path.is_file():
        pytest.skip(f"no RELISON values at {path}")
    case = next(c for c in json.loads(path.read_text())["cases"] if c["name"] == "random_undirected_60")
    for name, key in (("graph", "edges"), ("random", "recommendations"), ("features", "features")):
        (tmp_path / name).write_text("".join("\t".join(map(str, row)) + "\n" for row in case[key]))
    (tmp_path / "config").write_text(
        "metrics:\n" + "".join(
            f"  {name}: {{cutoff: {{type: int, values: [1, 5, 10]}}}}\n"
            for name in ("LTN", "Mean prediction distance", "Unexpectedness", "ILD", "Predicted Gini complement")
        )
    )  # fmt: skip
    files = {name: tmp_path / name for name in ("graph", "random", "features", "config")}
    for flag, gold in (((), "expected_binary_features"), (("--weighted",), "expected_weighted_features")):
        assert command(files, "--undirected", "--features", files["features"], *flag) == 0
        (row,), _ = table(capsys)
        shared = [key for key in case[gold] if "@" in key]
        assert len(shared) >= 6
        for key in shared:
            assert float(row[key]) == pytest.approx(float(case[gold][key]), abs=1e-9), key


def test_infinity_and_nan_are_written_as_in_java(files, capsys) -> None:
    files["random"].write_text("6\t1\t1\n")
    files["config"].write_text("metrics: {Mean prediction distance: {cutoff: 1}, Serendipity: {cutoff: 1}}")
    assert command(files) == 0
    (row,), _ = table(capsys)
    assert (row["Mean prediction distance@1"], row["Serendipity@1"]) == ("Infinity", "NaN")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("graph", "1\t2\n1 3\n", "graph.txt:2: expected u⇥v, u⇥v⇥weight or u⇥v⇥weight⇥type (⇥ is a tab), found 1"),
        ("graph", "1\t2\tx\n", "graph.txt:1: expected a weight (a finite number), found 'x'"),
        ("random", "1\t2\n", "random:1: expected user⇥candidate⇥score"),
        ("random", "1\t2\t.5\n2\t3\t1\n1\t2\t.1\n", "random:3: user '1' is recommended '2' twice; keep the better"),
        ("features", "1\ta\tb\n", "features.txt:1: expected a value"),
        ("config", "metrics:\n\tLTN: {}", "config.yml:2: not a YAML file"),
        ("config", "measures: {}", "'metrics': found None"),
        ("config", "metrics: {LTM: {}}", "expected a metric of novelty; there are"),
        ("config", "metrics: {LTN: {cutoff: {type: int, values: [0]}}}", "'metrics.LTN.cutoff': found 0"),
        ("config", "metrics: {LTN: {cutoff: {values: [1.5]}}}", "'metrics.LTN.cutoff': found 1.5"),
        ("config", "metrics: {LTN: {cutoff: {range: [{start: 5, end: 1, step: 1}]}}}", "metrics.LTN.cutoff.range"),
        ("config", "metrics: {LTN: {reading: paper}}", "'metrics.LTN.reading': found 'paper'"),
        ("config", "metrics: {LTN: {reading: {type: string, values: [code, formula]}}}", "expected one value"),
        ("config", "metrics: {LTN: {cut: 5}}", "a parameter of LTN: average, cutoff, reading"),
    ],
)
def test_faults_are_told_in_one_message(files, capsys, name, text, message) -> None:
    files[name].write_text(text)
    assert command(files, "--features", files["features"]) != 0
    said = capsys.readouterr().err.splitlines()
    assert message in said[-1]
    assert len(said) <= 2  # the other line tells what is left out


def test_a_metric_of_features_without_features_says_so(files, capsys) -> None:
    assert command(files) != 0
    assert "features of the users, which this metric compares; give them with --features" in capsys.readouterr().err


def test_an_output_that_is_a_folder_is_told(files, capsys, tmp_path) -> None:
    (tmp_path / "folder").mkdir()
    assert command(files, "--features", files["features"], "-o", tmp_path / "folder") == 1
    told = capsys.readouterr().err
    assert "folder: " in told and "Traceback" not in told
    assert not list(tmp_path.glob(".*folder*"))
