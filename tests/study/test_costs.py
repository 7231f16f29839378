"""Costs are read back from logs, and forecast exactly where they are a straight line in the sizes."""

from pathlib import Path

import pytest

from cascurve.study.costs import Cost, Forecast, Work, measure, read

WILDCARDS = {"data": "topology=er/n=500/degree=4/mechanism=ic/replicate=0", "model": "cdk", "lengths": "10-20"}


def test_work_is_read_from_wildcards() -> None:
    assert Work.of("rank", "cdk", WILDCARDS, 2) == Work("rank/cdk", 500, (10, 20), 2)
    real = {"data": "dataset=twitter/replicate=0", "model": "cdk", "lengths": "10"}
    assert Work.of("rank", "cdk", real, 2) == Work("rank/cdk/twitter", 0, (10,), 2)
    assert Work.of("points", "", {}, 7) == Work("points", 0, (), 7)


def test_a_record_is_read_back_and_a_cold_one_is_not(tmp_path: Path) -> None:
    output = tmp_path / "o"
    output.write_bytes(b"12345")
    work = Work("rank/cdk", 500, (10, 20), 2)
    log = tmp_path / "a.log"
    lines = [measure(work, [str(output)], startup=0.5, cold=cold) for cold in (False, True)]
    log.write_text("length 10 (1 of 2): done\n" + "\n".join([*lines, lines[0][:30]]) + "\n")  # the last line is cut
    ((read_back, cost),) = read(log)
    assert read_back == work
    assert (cost.bytes, cost.startup_seconds) == (5, 0.5)
    assert cost.cpu_seconds > 0
    assert cost.peak_mb > 10


def linear(work: Work) -> Cost:
    seconds = 0.5 + 0.001 * work.n * len(work.lengths) + 0.01 * sum(work.lengths)
    return Cost(seconds, 0.5, 100 + 0.1 * work.n, 8.0 * work.n * len(work.lengths))


def test_a_straight_line_is_forecast_exactly_beyond_what_was_measured() -> None:
    sizes = [(n, lengths) for n in (100, 300, 500) for lengths in ((10,), (10, 30), (40,), (10, 20, 50))]
    records = tuple((work, linear(work)) for work in (Work("rank/x", n, lengths, 2) for n, lengths in sizes))
    forecast = Forecast(records)
    large = Work("rank/x", 1000, (10, 50, 100), 2)
    expected, cost = linear(large), forecast.cost(large)
    assert cost is not None
    assert cost.cpu_seconds == pytest.approx(expected.cpu_seconds, rel=0.02)
    assert cost.peak_mb == pytest.approx(expected.peak_mb, rel=0.02)
    assert forecast.mem_mb(large) == 500  # the least; 1.5 × 200 MB would be enough
    assert forecast.mem_mb(large, attempt=2) == 2 * forecast.mem_mb(large)
    assert forecast.runtime(large) == 10


def test_own_measurements_win_once_there_are_enough() -> None:
    work = Work("rank/x", 100, (10,), 2)
    slow, fast = Cost(8.0, 0.5, 100, 10), Cost(2.0, 0.5, 100, 10)
    few = Forecast(((work, slow),), own=((work, fast),))
    many = Forecast(((work, slow),), own=((work, fast),) * 5)
    assert 2.1 < few.cost(work).cpu_seconds < 8
    assert many.cost(work).cpu_seconds == pytest.approx(2.0)


def test_an_unmeasured_kind_has_no_forecast_but_gets_resources() -> None:
    unknown = Work("rank/new", 100, (10,), 2)
    assert Forecast(()).cost(unknown) is None
    assert Forecast(()).mem_mb(unknown) == 4000
    assert Forecast(()).runtime(unknown, attempt=2) == 480
