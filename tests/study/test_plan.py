"""A plan counts cells and jobs, adds up costs, and says why."""

import json

from cascurve.study.config import load
from cascurve.study.costs import Cost, Forecast
from cascurve.study.plan import Job, Plan, changes

STUDY = {
    "study": "s",
    "seed": 1,
    "synthetic": {"topologies": {"er": {}}, "n": [50, 100], "degree": [4], "mechanisms": {"ic": {}}, "lengths": [5, 8]},
    "models": {"random": {}, "cdk": {}},
}
DATA = "topology=er/n=100/degree=4/mechanism=ic/replicate=0"


def params(before: dict, now: dict) -> str:
    texts = (repr(json.dumps(spec, sort_keys=True)) for spec in (before, now))
    return "Params have changed since last execution: Union … all output: before: {} now: {} ".format(*texts)


def test_changes_are_told_by_name() -> None:
    before = {"parameters": {"dimension": 16}, "libraries": {"numpy": "2.4"}, "code": "aa", "seed": 1}
    now = {"parameters": {"dimension": 8, "margin": 1.0}, "libraries": {"numpy": "2.5"}, "code": "bb", "seed": 1}
    assert set(changes(params(before, now))) == {
        "parameters.dimension: 16 → 8",
        "parameters.margin: none → 1.0",
        "libraries.numpy: 2.4 → 2.5",
        "its code, or code that it imports, changed",
    }
    assert changes("Missing output files: x") == []


def test_a_long_list_is_told_by_its_number_of_changes() -> None:
    before, now = ([[f"topology=er/n={n}/degree=4", [5, *more]] for n in (50, 60, 70)] for more in ((), (8,)))
    now[0] = before[0]
    assert changes(params({"grid": before}, {"grid": now})) == ["grid: 2 of 3 entries are new or differ"]
    assert changes(params({"lengths": [5]}, {"lengths": [5, 8]})) == ["lengths: [5] → [5, 8]"]


def test_cells_costs_and_reasons_add_up() -> None:
    changed = params({"seed": 1, "parameters": {"dimension": 4}}, {"seed": 1, "parameters": {"dimension": 8}})
    jobs = [
        Job("rank", "cdk", {"data": DATA, "model": "cdk", "lengths": "5-8"}, 2, changed),
        Job("score", "", {"data": DATA, "lengths": "5-8"}, 5, "Input files updated by another job: x"),
    ]
    plan = Plan(load(STUDY), jobs, Forecast(((jobs[0].work, Cost(36.0, 1.0, 200.0, 2**20)),)))
    assert len(plan.cells()) == (2 + 1) * 2  # N = 100 takes both lengths, N = 50 one of them; two models
    assert plan.pending() == {(DATA, length, "cdk"): "parameters.dimension: 4 → 8" for length in (5, 8)}
    rank, score = plan.by_kind()
    assert (rank["kind"], rank["jobs"], rank["unmeasured"]) == ("rank/cdk", 1, 0)
    assert round(rank["cpu_hours"], 4) == 0.01
    assert round(rank["disk_mb"], 4) == 1
    assert (score["kind"], score["unmeasured"], score["cpu_hours"]) == ("score", 1, 0)
    assert plan.reasons() == [(1, "rank cdk", "parameters.dimension: 4 → 8"), (1, "score", "follows from jobs above")]
