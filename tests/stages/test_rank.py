"""Fits within one job: what a model may know, how many cascades it sees, how its parameters are chosen."""

from typing import Any

import numpy as np
import pytest

from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSets
from cascurve.errors import CellError
from cascurve.graph import Graph
from cascurve.models.interface import Fitted
from cascurve.stages import cascades, rank, score, tuning
from cascurve.storage import write_table
from cascurve.study.config import load
from cascurve.study.specs import Specs

PLACE = {"topology": "er", "n": "40", "degree": "5", "mechanism": "ic", "replicate": "0"}
DATA = "/".join(f"{key}={value}" for key, value in PLACE.items())
LAW = {"strong": 1.0, "weak": 0.0}


@pytest.fixture(scope="module")
def graph() -> Graph:
    u, v = np.triu_indices(40, 1)
    kept = np.random.default_rng(4).random(len(u)) < 0.12
    return Graph.from_edges(40, u[kept], v[kept], directed=False)


@pytest.fixture(scope="module")
def datasets(graph: Graph) -> DataSets:
    spec = PLACE | {"seed": 3, "module": "ic", "parameters": LAW, "lengths": [6], "sources": 5}
    return cascades.run(spec | {"n_train": 60, "n_test": 20, "min_reach": 0.0}, graph)


def spec(model: str, **more: Any) -> dict[str, Any]:
    return {"seed": 3, "data": DATA, "model": model, "module": model, "parameters": {}, "lengths": [6]} | more


def test_an_oracle_in_a_job_knows_the_links_of_the_cascades(datasets: DataSets, graph: Graph) -> None:
    """Links pass surely or never: whom it holds impossible, no cascade reaches."""
    knowing = spec("oracle", spreading={"mechanism": "ic", "parameters": LAW})
    rankings, failed, _ = rank.run(knowing, datasets, graph)
    assert not failed
    scores = np.array(rankings.column("scores").to_pylist(), dtype=float)
    sources = rankings.column("source").to_numpy()
    for users in (*datasets.by_length[6].train, *datasets.by_length[6].test):
        assert (scores[np.searchsorted(sources, users[0]), users[1:]] > 0).all()
    assert (scores == 0).any()


def test_an_oracle_of_real_cascades_fails_in_words(datasets: DataSets, graph: Graph) -> None:
    rankings, failed, _ = rank.run(spec("oracle"), datasets, graph)
    assert "nobody does" in failed[6]
    assert not len(rankings)
    assert "no links" not in failed[6]
    assert "need" in rank.run(spec("topo_lstm"), datasets, None)[1][6]


def test_what_a_model_may_see_of_each_source(datasets: DataSets, graph: Graph, tmp_path) -> None:
    """Two cascades a source are learned by heart; MAP on training is that of the cascades seen."""
    train = datasets.by_length[6].limited(2).train
    assert np.unique(train.sources, return_counts=True)[1].tolist() == [2] * 5
    first = {users.tobytes() for users in datasets.by_length[6].train.take(np.arange(10))}
    assert {users.tobytes() for users in train} == first  # cascades go through the sources in turn
    maps = {}
    for name, extra in (("all", {}), ("two", {"per_source": 2})):
        rankings, failed, cost = rank.run(spec("frequency", **extra), datasets, graph)
        file = tmp_path / f"model={name}" / "rankings.parquet"
        write_table(rankings, file, "rankings", failed=failed, cost=cost)
        wanted = {"measures": {"average_precision": {"use": "average_precision"}}, "lengths": [6]}
        limits = {"per_source": {name: extra["per_source"]}} if extra else {}
        scores, _, costs = score.every_model(wanted | limits, datasets, [str(file)])
        maps[name] = scores.column("train_map").to_numpy()
        assert len(scores) == 20
        assert costs.column("model").to_pylist() == [name]
        assert costs.column("seconds").to_pylist() == [cost[0]["seconds"]]
    assert (maps["two"] == maps["two"][0]).all()
    assert maps["two"][0] > maps["all"][0]


def test_parameters_are_chosen_and_recorded(datasets: DataSets, graph: Graph) -> None:
    """One step of training against many: the latter does better on held-out cascades too."""
    grid = {"updates": [1, 40_000], "dimension": [8]}
    tuned = spec("cdk", tuning={"grid": grid, "trials": 2, "valid": 0.25})
    rankings, _, cost = rank.run(tuned, datasets, graph)
    (fit,) = cost
    assert fit["parameters"] == {"updates": 40_000, "dimension": 8}
    trials = fit["trials"]
    assert [trial["parameters"]["updates"] for trial in trials] == [40_000, 1]
    assert trials[0]["valid_map"] > trials[1]["valid_map"]
    plain = rank.run(spec("cdk", parameters={"updates": 40_000, "dimension": 8}), datasets, graph)[0]
    np.testing.assert_array_equal(
        *(table.column("scores").to_pylist() for table in (rankings, plain))
    )  # the fit itself is that of an untuned model


class Says:
    """Remembers what it was fitted to; a fit with `value` 1 ranks right, one with 2 fails."""

    def __init__(self) -> None:
        self.parts: list[CascadeSet] = []

    def fit(self, parameters: Any, part: CascadeSet) -> Fitted:
        self.parts.append(part)
        if parameters["value"] == 2:
            raise CellError("diverged")
        sign = 1 if parameters["value"] == 1 else -1

        class Scores:
            def score(self, prefixes: CascadeSet) -> np.ndarray:
                return np.tile(np.float32(sign) * np.arange(4, 0, -1, dtype=np.float32), (len(prefixes), 1))

        return Scores()


TRAIN = CascadeSet.of([[0, 1], [0, 1, 2], [3, 0], [0, 1], [2, 0, 1]], n_users=4)


def test_trials_share_one_split_and_a_budget() -> None:
    model = Says()
    grid, budget = {"value": [0, 1, 2]}, {"trials": 3, "valid": 0.4}
    trials = tuning.tune(model.fit, TRAIN, grid, **budget, rng=np.random.default_rng(1))
    assert [trial.parameters["value"] for trial in trials] == [1, 0, 2]
    assert trials[2].valid_map is None
    assert {len(part) for part in model.parts} == {3}
    assert len({part.users.tobytes() for part in model.parts}) == 1
    again = tuning.tune(Says().fit, TRAIN, grid, trials=1, valid=0.4, rng=np.random.default_rng(1))
    assert len(again) == 1


def test_a_grid_of_failures_and_a_set_too_small_are_said() -> None:
    with pytest.raises(CellError, match=r"none of 1 sets .* diverged"):
        tuning.tune(Says().fit, TRAIN, {"value": [2]}, trials=3, valid=0.2, rng=np.random.default_rng(1))
    with pytest.raises(CellError, match="1 training cascades"):
        tuning.tune(Says().fit, TRAIN.take([0]), {"value": [1]}, trials=3, valid=0.2, rng=np.random.default_rng(1))


class Wildcards:
    """As Snakemake has them."""

    def __init__(self, model: str) -> None:
        self.data, self.model, self.lengths = DATA, model, "6"


def test_a_fit_depends_on_the_mechanism_and_the_tuning_only_where_it_uses_them(pytestconfig) -> None:
    def specs(**changes: Any) -> dict[str, str]:
        study = {"study": "t", "seed": 3, "models": {"oracle": {}, "cdk": {}, "frequency": {}}}
        law = changes.pop("law", {})
        grid = {"topologies": {"er": {}}, "n": [40], "degree": [5], "mechanisms": {"ic": law}, "lengths": [4]}
        made = Specs(load(study | {"synthetic": grid} | changes), pytestconfig.rootpath / "workflow" / "scripts")
        return {model: made.rank(Wildcards(model)) for model in study["models"]}

    before = specs()
    for changes, expected in (
        ({"law": {"weak": 0.1}}, {"oracle"}),
        ({"tuning": {"grids": {"cdk": {"dimension": [5, 10]}}}}, {"cdk"}),
        ({"cascades_per_source": {"frequency": 3}}, {"frequency"}),
    ):
        after = specs(**changes)
        assert {model for model in before if before[model] != after[model]} == expected
