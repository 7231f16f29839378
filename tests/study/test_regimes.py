"""Grids that stand beside the study's own, and data sets that may be absent."""

import copy
from pathlib import Path
from typing import Any

import pytest

from cascurve.errors import ConfigError
from cascurve.study.config import load
from cascurve.study.grid import data
from cascurve.study.specs import Specs

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
STUDY: dict[str, Any] = {
    "study": "two",
    "seed": 1,
    "models": {"random": {}},
    "synthetic": {
        "topologies": {"er": {}, "ba": {}},
        "n": [100, 200],
        "degree": [4],
        "mechanisms": {"ic": {}, "si": {}},
        "lengths": [10, 20],
        "regimes": {"dense": {"degree": [8], "mechanisms": {"ic": {"order": "random"}}, "sources": 10}},
    },
}


def study(**regime: Any) -> dict[str, Any]:
    made = copy.deepcopy(STUDY)
    made["synthetic"]["regimes"]["dense"] |= regime
    return made


def test_a_regime_takes_what_it_does_not_say_from_the_grid() -> None:
    paths = [item.path for item in data(load(study()))]
    assert len(paths) == 2 * 2 * 2 + 2 * 2
    assert paths[-1] == "topology=ba@dense/n=200/degree=8/mechanism=ic/replicate=0"
    grid = load(study()).grid_of("er@dense")
    assert (grid.sources, grid.n, grid.n_train) == (10, (100, 200), 1000)
    assert load(study()).grid_of("er").sources == 50


def test_jobs_of_a_regime_have_its_parameters_and_those_of_the_grid_stay() -> None:
    class Place:
        topology, n, degree, mechanism, replicate, lengths = "er@dense", "100", "8", "ic", "0", "10"

    class Own(Place):
        topology, degree = "er", "4"

    specs = Specs(load(study()), SCRIPTS)
    assert '"order": "random"' in specs.cascades(Place)
    assert '"sources": 10' in specs.cascades(Place)
    alone = {**STUDY, "synthetic": {key: value for key, value in STUDY["synthetic"].items() if key != "regimes"}}
    assert specs.cascades(Own) == Specs(load(alone), SCRIPTS).cascades(Own)


@pytest.mark.parametrize(
    ("regime", "key"),
    [
        ({"sources": "many"}, "synthetic.regimes.dense.sources"),
        ({"lengths": [10, 900]}, "synthetic.regimes.dense.lengths[1]"),
        ({"colour": 1}, "synthetic.regimes.dense.colour"),
        ({"mechanisms": {"ic": {"order": "odd"}}}, "synthetic.regimes.dense.mechanisms.ic.order"),
    ],
)
def test_a_wrong_key_of_a_regime_is_named(regime: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError) as found:
        load(study(**regime))
    assert key in str(found.value)


def test_regimes_have_no_regimes() -> None:
    with pytest.raises(ConfigError, match=r"synthetic\.regimes\.dense"):
        load(study(regimes={}))


def test_an_optional_data_set_without_its_files_is_left_out(tmp_path: Path) -> None:
    entry = {"format": "topolstm", "cascades": {"all": "none.txt"}, "lengths": [10]}
    with pytest.raises(ConfigError, match=r"none\.txt"):
        load(STUDY | {"empirical": {"twitter": entry}}, tmp_path)
    made = load(STUDY | {"empirical": {"twitter": entry | {"optional": True}}}, tmp_path)
    assert (dict(made.absent), dict(made.empirical)) == ({"twitter": "none.txt"}, {})
    (tmp_path / "none.txt").write_text("")
    assert list(load(STUDY | {"empirical": {"twitter": entry | {"optional": True}}}, tmp_path).empirical) == ["twitter"]


@pytest.mark.parametrize("name", ["demo", "paper", "paper-small"])
def test_the_shipped_studies_are_sound(name: str, tmp_path: Path) -> None:
    import yaml

    from cascurve import plugins

    raw = yaml.safe_load((SCRIPTS.parents[1] / "studies" / f"{name}.yaml").read_text())
    built = plugins.names("models")
    raw["models"] = {label: entry for label, entry in raw["models"].items() if label in built}
    made = load(raw, tmp_path)
    regimes = {item.coordinates[0][1].partition("@")[2] for item in data(made) if item.coordinates[0][0] == "topology"}
    assert regimes == ({""} if name == "demo" else {"", "as-published", "probabilities"})
    for figure in made.figures.values():
        group = figure.parameters.get("group", "er")
        assert not group or made.grid_of(group)
