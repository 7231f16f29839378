"""Configurations are read strictly."""

import pytest

from cascurve.errors import DataError
from cascurve.study import yaml_file


def test_merged_keys_may_be_overridden(tmp_path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("base: &base {a: 1, b: [2, 3]}\nmine:\n  <<: *base\n  a: 4\n")
    assert yaml_file.read(path)["mine"] == {"a": 4, "b": [2, 3]}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            "study: a\nmodels:\n  cdk: {}\n  random: {}\n  cdk: {dimension: 5}\n",
            5,
            "'cdk' stands twice, in lines 3 and 5",
        ),
        ("seed: 1\nseed: 1\n", 2, "'seed' stands twice"),
        ("- a\n", None, "expected the keys of a study"),
        ("a: [1\n", 2, "not a YAML file"),
    ],
)
def test_faults_name_file_and_line(tmp_path, text, line, words) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=words) as caught:
        yaml_file.read(path)
    assert (caught.value.file, caught.value.line) == (path, line)
