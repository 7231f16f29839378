"""What holds for every mechanism: valid cascades, streams of their own, retries."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cascurve import plugins
from cascurve.errors import DataError
from cascurve.graph import Graph
from cascurve.mechanisms import simulation
from cascurve.mechanisms.simulation import Simulation
from cascurve.networks import er

GRAPH = er.generate(150, 5.0, rng=np.random.default_rng(1))
CASES: list[tuple[str, dict[str, Any]]] = [
    ("ic", {"order": "delays"}),
    ("ic", {"order": "random", "edges": "uniform"}),
    ("ic", {"order": "fixed", "edges": "weighted"}),
    ("lt", {}),
    ("lt", {"thresholds": "fixed", "low": 0.1, "high": 0.4}),
    ("si", {}),
    ("sir", {"recovery": 0.5}),
]


def run(name: str, parameters: dict[str, Any], graph: Graph = GRAPH, **changes: Any) -> Simulation:
    call = {"sources": np.arange(40, dtype=np.int32), "length": 30, "tries": 1} | changes
    simulate = plugins.load("mechanisms", name).simulate
    simulated: Simulation = simulate(
        graph, **call, **parameters, rng=np.random.default_rng(7), environment_rng=np.random.default_rng(8)
    )
    return simulated


def test_every_mechanism_of_the_folder_is_tested_here() -> None:
    assert {name for name, _ in CASES} == set(plugins.names("mechanisms"))


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_parameters_pass_the_check_of_the_configuration(name: str, parameters: dict[str, Any]) -> None:
    plugins.check_parameters("mechanisms", name, parameters, "mechanisms")
    assert not {"rng", "environment_rng", "length", "tries"} & set(plugins.parameters("mechanisms", name))


@pytest.mark.parametrize(("name", "parameters"), CASES)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), degree=st.floats(0.5, 6.0), directed=st.booleans(), length=st.integers(1, 25))
def test_users_come_after_their_infectors(
    name: str, parameters: dict[str, Any], seed: int, degree: float, directed: bool, length: int
) -> None:
    graph = er.generate(20, degree, directed=directed, rng=np.random.default_rng(seed))
    simulated = run(name, parameters, graph, sources=np.arange(20, dtype=np.int32), length=length)
    cascades = simulated.cascades
    assert cascades.times is not None
    assert (cascades.sources == np.arange(20)).all()
    assert cascades.lengths.max() <= min(length, 20)
    for begin, end in zip(cascades.offsets[:-1], cascades.offsets[1:], strict=True):
        users, infectors = cascades.users[begin:end].tolist(), simulated.infectors[begin:end].tolist()
        assert (infectors[0], cascades.times[begin]) == (-1, 0.0)
        for position in range(1, len(users)):
            assert infectors[position] in users[:position]
            assert users[position] in graph.targets(infectors[position])


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_streams_are_the_cascades_own(name: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the number of cascades nor the size of batches matters."""
    whole = run(name, parameters, tries=3)
    few = run(name, parameters, tries=3, sources=np.arange(7, dtype=np.int32))
    monkeypatch.setattr(simulation, "PROGRESS_SECONDS", 0.0)
    single = run(name, parameters, tries=3)
    for other, count in ((few, 7), (single, 40)):
        for column in ("users", "times"):
            end = whole.cascades.offsets[count]
            assert (getattr(whole.cascades, column)[:end] == getattr(other.cascades, column)).all()
        assert (whole.tries[:count] == other.tries).all()


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_room_that_was_too_small_grows(name: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(name, parameters, tries=3)
    monkeypatch.setattr(simulation, "FIRST_ROOM", 1)
    grown = run(name, parameters, tries=3)
    assert (whole.cascades.users == grown.cascades.users).all()
    assert (whole.cascades.times == grown.cascades.times).all()
    assert (whole.infectors == grown.infectors).all()


DIGEST = """
import hashlib, numba
from tests.mechanisms.test_mechanisms import CASES, run
digest = hashlib.sha256()
for name, parameters in CASES:
    simulated = run(name, parameters, tries=3)
    for column in (simulated.cascades.users, simulated.cascades.times, simulated.infectors, simulated.tries):
        digest.update(column.tobytes())
print(numba.get_num_threads(), digest.hexdigest())
"""


def test_the_number_of_threads_does_not_matter() -> None:
    """In processes of their own, as jobs get it; the network of all cases is drawn there too."""
    printed = []
    for threads in ("1", "2"):
        environment = os.environ | {f"{name}_NUM_THREADS": threads for name in ("NUMBA", "OMP", "OPENBLAS", "MKL")}
        command = [sys.executable, "-c", DIGEST]
        output = subprocess.check_output(command, cwd=Path(__file__).parents[2], env=environment, text=True)
        printed.append(output.split())
    assert [threads for threads, _ in printed] == ["1", "2"]
    assert printed[0][1] == printed[1][1]


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_a_shorter_length_is_the_beginning_of_a_longer_one(name: str, parameters: dict[str, Any]) -> None:
    """With one try: the same stream draws the same first users (but for the order within a last, cut round)."""
    short, long = run(name, parameters, length=5), run(name, parameters, length=30)
    for mine, other in zip(short.cascades, long.cascades, strict=True):
        assert (mine == other[:5]).all()


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_retries_end_when_the_length_is_reached(name: str, parameters: dict[str, Any]) -> None:
    simulated = run(name, parameters, length=8, tries=50)
    reached = simulated.cascades.lengths == 8
    assert (simulated.tries[~reached] == 50).all()
    assert simulated.tries.min() == 1
    once = run(name, parameters, length=8)
    assert ((simulated.tries == 1) == (once.cascades.lengths == 8)).all()


def test_wrong_sources_and_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="nodes run from 0 to 149"):
        run("si", {}, sources=np.array([150], np.int32))
    with pytest.raises(DataError, match="at least 1"):
        run("si", {}, length=0)
    assert len(run("si", {}, sources=np.empty(0, np.int32)).cascades) == 0


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(simulation, "PROGRESS_SECONDS", 0.0)
    run("si", {}, sources=np.zeros(3, np.int32))
    assert "cascades: 2 of 3" in capsys.readouterr().err
