"""A configuration's errors name the key, the value and what is allowed."""

import copy
from pathlib import Path
from types import SimpleNamespace

import pytest

from cascurve.errors import CascurveError, ConfigError
from cascurve.study.config import APCE, load
from cascurve.study.specs import Specs

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"

BASE = {
    "study": "t",
    "seed": 1,
    "synthetic": {
        "topologies": {"er": {}},
        "n": [100, 200],
        "degree": [4],
        "mechanisms": {"ic": {}},
        "lengths": [20, 10],
    },
    "models": {"random": {}},
}


def changed(path: str, value: object) -> dict[str, object]:
    config = copy.deepcopy(BASE)
    *folders, key = path.split("/")
    entry = config
    for folder in folders:
        entry = entry[folder]
    if value is None:
        del entry[key]
    else:
        entry[key] = value
    return config


def test_defaults_are_filled_in() -> None:
    study = load(BASE)
    assert study.replicates == 1
    assert study.synthetic.sources == 50
    assert study.synthetic.lengths == (10, 20)
    assert study.synthetic.lengths_for(100) == (10,)
    assert study.synthetic.lengths_for(200) == (10, 20)
    assert study.per_job("random") is None
    assert list(study.measures) == ["average_precision"]


def test_novelty_is_off_unless_asked_for() -> None:
    assert load(BASE).novelty is None
    assert "novelty_tradeoff" not in load(BASE).figures
    study = load(changed("novelty", {}))
    assert list(study.novelty.metrics) == ["long_tail", "mean_distance", "unexpectedness"]
    assert study.novelty.cutoffs == (1, 5, 10)
    assert {"curves", "novelty_tradeoff", "novelty_difficulty"} <= set(study.figures)


def test_time_is_looked_at_where_data_are_real(tmp_path: Path) -> None:
    file = tmp_path / "c.txt"
    file.write_text("7 3 1 4 2\n")
    entry = {"format": "topolstm", "cascades": {"all": str(file)}, "lengths": [3]}
    real = {"empirical": {"mine": entry}}
    mixed = copy.deepcopy(BASE) | real
    assert load(BASE).timeaware is None
    assert "timeaware" not in load(BASE).raw
    for made in (load(mixed), load(mixed | {"timeaware": True}), load(mixed | {"timeaware": {"clock": "calendar"}})):
        assert made.timeaware.slices == ("all", "auto")
        assert made.timeaware.covers("dataset=mine/replicate=0")
        assert not made.timeaware.covers("topology=er/n=100/degree=4/mechanism=ic/replicate=0")
    assert load(mixed | {"timeaware": False}).timeaware is None
    absent = entry | {"cascades": {"all": "nowhere.txt"}, "optional": True}
    assert load(mixed | {"empirical": {"mine": absent}}).timeaware is None
    for asked in (load(changed("timeaware", {})), load(mixed | {"timeaware": {"data": "all"}})):
        assert asked.timeaware.covers("topology=er/n=100/degree=4/mechanism=ic/replicate=0")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("seed", -1, ["'seed'", "-1", "at least 0"]),
        ("replicates", 2.0, ["'replicates'", "2.0", "expected a whole number"]),
        ("synthetic/n", [100.0], ["synthetic.n[0]", "100.0", "expected a whole number, at least 2"]),
        ("synthetic/degree", [float("nan")], ["synthetic.degree[0]", "nan", "expected a number, above 0"]),
        ("sed", 1, ["'sed'", "a key among", "seed"]),
        ("models", None, ["'models'", "required"]),
        ("synthetic", None, ["'synthetic'", "'empirical'"]),
        ("models", {"cdkk": {}}, ["models", "'cdkk'", "models.cdkk", "cdk, ", "random"]),
        ("models", {"mine": {"use": "nope"}}, ["'nope'", "models.mine.use"]),
        ("models", {"cdk": {"dimensions": 3}}, ["models.cdk.dimensions", "3", "dimension"]),
        ("models", {"cdk": {"dimension": "fifty"}}, ["models.cdk.dimension", "'fifty'", "expected a whole number"]),
        ("synthetic/topologies", {"xx": {}}, ["networks", "'xx'", "er"]),
        (
            "synthetic/mechanisms",
            {"ic": {"order": "sideways"}},
            ["synthetic.mechanisms.ic.order", "expected one of delays, random, fixed"],
        ),
        ("synthetic/lengths", [10, 21], ["synthetic.lengths[1]", "21", "at most 20", "N = 200"]),
        ("timeaware", "no", ["'timeaware'", "'no'", "expected keys and their values or true or false"]),
        ("timeaware", {"slices": [{}]}, ["timeaware.slices[0]", "{}", "expected a whole number, at least 1, or text"]),
        ("timeaware", {"slices": ["5"]}, ["timeaware.slices[0]", "'5'", "number without quotes", "or 5u for windows"]),
        ("timeaware", {"slices": ["fortnight"]}, ["timeaware.slices[0]", "'fortnight'", "auto", "week", "36h"]),
        (
            "synthetic/sources",
            "some",
            ["synthetic.sources", "'some'", "a whole number, at least 1, or one of one, all"],
        ),
        ("synthetic/lengths", [1], ["synthetic.lengths[0]", "1", "at least 2"]),
        ("synthetic/lengths", [], ["synthetic.lengths", "at least 1 values"]),
        ("synthetic/n", [100, 100], ["synthetic.n", "no value twice"]),
        ("synthetic/degree", [0.00001], ["synthetic.degree[0]", "1e-05", "at most six digits"]),
        ("synthetic/degree", [4.00000001], ["synthetic.degree[0]", "4.00000001", "at most six digits"]),
        ("synthetic/degree", [150], ["synthetic.degree[0]", "150", "at most 99"]),
        ("synthetic/min_reach", 2, ["synthetic.min_reach", "2", "at most 1"]),
        ("synthetic/sources", "some", ["synthetic.sources", "'some'"]),
        ("figures", {"fig9": {}}, ["figures", "'fig9'", "figures.fig9", "fig2a"]),
        ("study", "../x", ["'study'", "'../x'"]),
        (
            "measures",
            {"recall": {"k": "ten"}},
            ["measures.recall.k", "'ten'", "a whole number or the word R or nothing (null)"],
        ),
        ("difficulty", {"boots": 3}, ["difficulty.boots", "3"]),
        ("difficulty", {"part": "valid"}, ["difficulty.part", "'valid'", "train"]),
        ("difficulty", {"measures": {"kendall": {}}}, ["difficulty.measures.kendall", "kendall_tau"]),
        ("difficulty", {"measures": {"apce": {}}}, ["difficulty.measures.apce", "another measure"]),
        ("novelty", {"metrics": {"long": {}}}, ["novelty", "'long'", "novelty.metrics.long", "long_tail"]),
        ("novelty", {"metrics": {"long_tail": {"reading": "java"}}}, ["novelty.metrics.long_tail.reading", "'java'"]),
        ("novelty", {"cutoffs": [0]}, ["novelty.cutoffs[0]", "0", "at least 1"]),
        ("novelty", {"cutoff": [1]}, ["novelty.cutoff", "a key among cutoffs, metrics"]),
        ("figures", {"novelty_tradeoff": {}}, ["figures.novelty_tradeoff", "add a key novelty"]),
        ("tuning", {"trials": 0}, ["tuning.trials", "at least 1"]),
        ("tuning", {"grids": {"cdk": {"dimension": [5]}}}, ["tuning.grids.cdk", "a model of the study (random)"]),
        ("tuning", {"grids": {"random": {"dimension": [5]}}}, ["tuning.grids.random.dimension", "no parameters"]),
        ("cascades_per_source", {"cdk": 5}, ["cascades_per_source.cdk", "a model of the study"]),
        ("x", "kendall_tau", ["'x'", "'kendall_tau'", "apce_bayes", "difficulty.measures"]),
    ],
)
def test_errors_name_key_value_and_what_is_allowed(path, value, words) -> None:
    with pytest.raises(CascurveError) as caught:
        load(changed(path, value))
    message = str(caught.value)
    for word in words:
        assert word in message, message


def test_models_may_be_compared_by_any_measure_of_difficulty() -> None:
    config = changed("difficulty", {"measures": {"tau": {"use": "kendall_tau"}}}) | {"x": "tau"}
    assert load(config).difficulty.measures["tau"].module == "kendall_tau"
    for name in APCE:
        assert load(changed("x", name)).x == name


def test_missing_file_is_named(tmp_path) -> None:
    entry = {"format": "topolstm", "cascades": {"train": "nowhere.txt"}, "lengths": [10]}
    config = {"study": "t", "seed": 1, "models": {"random": {}}, "empirical": {"mine": entry}}
    with pytest.raises(ConfigError, match=r"empirical\.mine\.cascades\.train.*nowhere\.txt.*existing file"):
        load(config, tmp_path)


def of_files(**own) -> dict:
    entry = {"cascades": {"train": "c.txt", "test": "d.txt"}, "lengths": [2]}
    return {"study": "t", "seed": 1, "models": {"random": {}}, "empirical": {"mine": entry | own}}


def test_a_format_that_is_not_named_is_found_out(tmp_path) -> None:
    """Jobs see no difference to one that is named, so that naming it later reruns nothing but the report."""
    (tmp_path / "c.txt").write_text("7,1.5 3,2.5 1,9\n4,0.5 2,6\n")
    (tmp_path / "d.txt").write_text("3,1.5 2,2.5\n")
    left_out, auto, named = (load(of_files(**own), tmp_path) for own in ({}, {"format": "auto"}, {"format": "forest"}))
    assert left_out.empirical["mine"].format == "forest"
    (line,) = left_out.found_out
    assert line.startswith("mine: forest, found out from c.txt (")
    assert auto.found_out == [line]
    assert named.found_out == []
    place = SimpleNamespace(dataset="mine")
    jobs = {Specs(study, SCRIPTS).import_cascades(place) for study in (left_out, auto, named)}
    assert len(jobs) == 1
    assert '"forest"' in jobs.pop()


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("It was a dark night\n", "3,1 2,2\n", r"c\.txt.*cannot be told.*fits none of aminer.*name the format"),
        ("#tag\n", "3,1 2,2\n", r"c\.txt.*cannot be told"),
        ("", "3,1 2,2\n", r"c\.txt: the file is empty"),
        ("3,1 2,2\n", "7 3 10 12 20.5\n", r"d\.txt: expected the format forest, as .*c\.txt has .*fits topolstm \("),
        ("3,1 2,2\n", "It was a dark night\n", r"d\.txt: expected the format forest.*fits no format.*name the format"),
    ],
)
def test_a_format_that_cannot_be_found_out(tmp_path, first, second, words) -> None:
    (tmp_path / "c.txt").write_text(first)
    (tmp_path / "d.txt").write_text(second)
    for own in ({}, {"format": "auto"}):
        with pytest.raises(ConfigError, match=r"empirical\.mine\.format': found 'auto'.*" + words):
            load(of_files(**own), tmp_path)
    assert load(of_files(format="forest"), tmp_path).found_out == []


def test_labels_may_use_a_module_twice() -> None:
    study = load(changed("models", {"cdk": {}, "cdk_small": {"use": "cdk", "dimension": 5}}))
    assert study.models["cdk_small"].module == "cdk"
    assert study.models["cdk_small"].parameters == {"dimension": 5}


def test_an_oracle_is_refused_where_all_cascades_are_real(tmp_path) -> None:
    """Beside synthetic data it is allowed; its real cells then say why they have no result."""
    (tmp_path / "all.txt").write_text("0 1 2\n")
    real = {"x": {"format": "topolstm", "cascades": {"all": "all.txt"}, "lengths": [2]}}
    mixed = copy.deepcopy(BASE) | {"models": {"oracle": {}}, "empirical": real}
    assert "oracle" in load(mixed, tmp_path).models
    del mixed["synthetic"]
    with pytest.raises(ConfigError, match=r"models\.oracle.*real cascades only"):
        load(mixed, tmp_path)


def test_a_model_with_a_parameter_that_must_be_given_can_be_tuned(tmp_path: Path) -> None:
    """A trial is checked as the fit runs it: with what the model's own entry gives."""
    file = tmp_path / "mine.py"
    file.write_text("class Model:\n    rank: int\n    rate: float = 0.1\n    def fit(self): ...\n")
    models = {"mine": {"use": str(file), "rank": 3}}
    load(BASE | {"models": models, "tuning": {"grids": {"mine": {"rate": [0.1, 0.2]}}}})
    with pytest.raises(ConfigError, match=r"tuning\.grids\.mine\.rate.*'fast'.*a number"):
        load(BASE | {"models": models, "tuning": {"grids": {"mine": {"rate": ["fast"]}}}})
