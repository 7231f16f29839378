"""`cascurve detect` and `cascurve import`."""

import pytest

from cascurve import cli
from cascurve.formats.imported import Imported

LINES = "7 3 10 12 20.5\n3 7 4\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cascades.txt"
    path.write_text(LINES)
    return path


def test_detect_names_the_format_and_why(file, tmp_path, capsys) -> None:
    other = tmp_path / "prose.txt"
    other.write_text("It was a dark and stormy night\n")
    assert cli.main(["detect", str(file)]) == 0
    assert f"{file}: topolstm: a source, then pairs" in capsys.readouterr().out
    assert cli.main(["detect", str(file), str(other)]) == 1
    printed = capsys.readouterr().out
    assert "topolstm" in printed
    assert f"{other}: the format cannot be told" in printed


def test_import_prints_an_account_that_adds_up_and_writes(file, tmp_path, capsys) -> None:
    graph = tmp_path / "graph.txt"
    graph.write_text("7 3\n7 3\n12 9\n")
    folder = tmp_path / "out"
    options = ["--graph", str(graph), "--option", "links=forward", "--output", str(folder)]
    assert cli.main(["import", str(file), *options]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[-1] == ["left", "2", "3", "5", "2"]
    kept = Imported.read(folder)
    assert len(kept.cascades) == 2
    assert kept.labels.to_pylist() == ["3", "7", "9", "12"]
    assert kept.graph is not None
    assert kept.graph.n_links == 2
    assert cli.main(["import", "--train", str(file), "--test", str(file)]) == 0
    assert "cascades.txt: 2 cascades, cascades.txt: 2 cascades" in capsys.readouterr().out
    graph.write_text("7,1 3,2\n")
    assert cli.main(["import", "--train", str(file), "--test", str(graph)]) == 1
    assert f"{graph}: expected the format topolstm, as {file} has" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one file, or parts by --train"),
        (["FILE", "--option", "unit"], "KEY=VALUE"),
        (["FILE", "--option", "units=hours"], "a parameter of formats/topolstm.py"),
        (["FILE", "--graph", "nowhere.txt"], "nowhere.txt: file not found"),
    ],
)
def test_mistakes_are_told_in_one_line(file, arguments, words, capsys) -> None:
    assert cli.main(["import", *(str(file) if word == "FILE" else word for word in arguments)]) != 0
    printed = capsys.readouterr().err
    assert words in printed
    assert "Traceback" not in printed
