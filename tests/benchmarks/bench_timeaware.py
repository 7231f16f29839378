"""Evaluation over time of a large run against pandas with groupby, on the same file; CPU time, and peak memory.

Run: ``python -m pytest tests/benchmarks/bench_timeaware.py -n 0 -s``.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cascurve.timeaware.evaluation import evaluate
from cascurve.timeaware.judgments import read_judgments
from cascurve.timeaware.slices import KBA_END, KBA_START, slicing

LARGE = int(os.environ.get("CASCURVE_BENCH_LINES", "10000000"))
COMPARED = min(LARGE, 1_000_000)
ENTITIES, JUDGED, TRUE = 29, 50_000, 12_000
NAMES = ("all", "week", "day")


def documents(count: int, rng: np.random.Generator) -> list[str]:
    """Names as in KBA: time in seconds and 32 hexadecimal digits."""
    times = rng.integers(int(KBA_START), int(KBA_END), count)
    digits = rng.bytes(16 * count).hex()
    return [f"{t}-{digits[32 * i : 32 * i + 32]}" for i, t in enumerate(times.tolist())]


def write_run(path: Path, lines: int, judged: np.ndarray, owner: np.ndarray) -> None:
    """Predictions with confidences from 1 to 1000, a part of them of judged documents."""
    rng = np.random.default_rng(1)
    known = rng.random(len(judged)) < 0.6
    with path.open("w") as file:
        file.write("# a run\n")
        rows = zip(
            judged[known].tolist(), owner[known].tolist(), rng.integers(1, 1001, known.sum()).tolist(), strict=True
        )
        file.writelines(f"team\trun\t{name}\tEntity_{e}\t{c}\t1\t1\n" for name, e, c in rows)
        left = lines - int(known.sum())
        while left > 0:
            block = min(left, 500_000)
            drawn = rng.integers([0, 1], [ENTITIES, 1001], (block, 2)).tolist()
            rows = (
                (name, entity, confidence)
                for name, (entity, confidence) in zip(documents(block, rng), drawn, strict=True)
            )
            file.writelines(f"team\trun\t{name}\tEntity_{e}\t{c}\t1\t1\n" for name, e, c in rows)
            left -= block


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bench")
    rng = np.random.default_rng(0)
    judged, owner = np.array(documents(JUDGED, rng)), rng.integers(0, ENTITIES, JUDGED)
    labels = np.where(np.arange(JUDGED) < TRUE, rng.integers(1, 3, JUDGED), rng.integers(-1, 1, JUDGED))
    paths = {name: folder / f"{name}.txt" for name in ("judgments", "small", "large")}
    with paths["judgments"].open("w") as file:
        rows = zip(judged.tolist(), owner.tolist(), labels.tolist(), strict=True)
        file.writelines(f"NIST\tone\t{name}\tEntity_{e}\t1000\t{label}\t1\n" for name, e, label in rows)
    write_run(paths["small"], COMPARED, judged, owner)
    write_run(paths["large"], LARGE, judged, owner)
    return paths


def ours(files: dict[str, Path], run: str) -> list[dict[str, float]]:
    """Level -> overall values, by metric and slicing."""
    judgments = read_judgments([files["judgments"]], start=KBA_START, end=KBA_END)
    slicings = [slicing(name, KBA_START, KBA_END) for name in NAMES]
    found = []
    for evaluation in evaluate([files[run]], judgments, slicings)[0]:
        values = {}
        for metric in ("MAP", "Prec@R", "nDCG@R", "correctedAUC"):
            for weighting in ("UNIFORM", "WEIGHTED"):
                (row,) = evaluation.overall_table(metric, weighting).values()
                values |= {f"{metric} {weighting} {name}": value for name, value in zip(NAMES, row, strict=True)}
        found.append(values)
    return found


def peer(files: dict[str, Path], run: str) -> list[dict[str, float]]:
    """The same with pandas: one sort, then a groupby per slicing; what a careful analyst would write."""
    import pandas as pd

    columns = ["a", "b", "doc", "entity", "confidence", "label", "c"]
    read = {"sep": r"\t", "engine": "c", "comment": "#", "names": columns}
    read["sep"] = "\t"
    judged = pd.read_csv(files["judgments"], **read, usecols=["doc", "entity", "confidence", "label"])
    judged["time"] = judged["doc"].str.partition("-")[0].astype(np.int64)
    judged = judged[(judged.confidence > 0) & (judged.time >= KBA_START) & (judged.time < KBA_END)]
    truth = judged.groupby(["entity", "doc"], as_index=False).agg(label=("label", "min"), time=("time", "first"))
    n_entities = judged["entity"].nunique()
    table = pd.read_csv(files[run], **read, usecols=["doc", "entity", "confidence"])
    table["time"] = table["doc"].str.partition("-")[0].astype(np.int64)
    table = table.merge(truth[["entity", "doc", "label"]], on=["entity", "doc"], how="left")
    table = table.sort_values(["confidence", "doc"], ascending=False)
    found = []
    for level in (1, 2):
        values = {}
        for name in NAMES:
            step = slicing(name, KBA_START, KBA_END)
            values |= _peer_slicing(pd, table, truth[truth.label >= level], level, step, n_entities)
        found.append(values)
    return found


def _peer_slicing(pd, table, true, level, step, n_entities) -> dict[str, float]:
    relevant = (
        true.assign(slice=((true.time - step.start) // step.width).astype(int)).groupby(["entity", "slice"]).size()
    )
    frame = table.assign(slice=((table.time - step.start) // step.width).astype(int), hit=(table.label >= level))
    groups = frame.groupby(["entity", "slice"], sort=False)["hit"]
    frame["rank"], frame["hits"] = groups.cumcount() + 1, groups.cumsum()
    lengths = groups.size()
    keys = ["entity", "slice"]
    hits = frame[frame.hit].join(relevant.rename("R"), on=keys).join(lengths.rename("n"), on=keys)
    hits["precision"] = hits.hits / hits["rank"]
    hits["top"] = hits["rank"] <= hits.R
    hits["gain"] = np.where(hits.top, 1 / np.log(hits["rank"] + 1), 0.0)
    hits["below"] = hits["rank"] - hits.hits
    by = hits.groupby(["entity", "slice"]).agg(
        precision=("precision", "sum"), top=("top", "sum"), gain=("gain", "sum"), found=("hit", "sum"),
        wrong=("below", "sum"),
    )  # fmt: skip
    cells = pd.DataFrame({"R": relevant}).join(by).join(lengths.rename("n")).fillna(0.0)
    ideal = np.concatenate([[0.0], np.cumsum(1 / np.log(np.arange(2, int(cells.R.max()) + 2)))])
    best = ideal[np.minimum(cells.R, cells.n).astype(int)]
    others = cells.n - cells.found
    pairs = cells.found * others
    metrics = {
        "MAP": cells.precision / cells.R,
        "Prec@R": cells.top / cells.R,
        "nDCG@R": (cells.gain / np.where(best > 0, best, 1)),
        "correctedAUC": np.where(pairs > 0, 1 - 2 * cells.wrong / np.where(pairs > 0, pairs, 1), 0.0),
    }
    total = cells.R.groupby("entity").transform("sum")
    own = cells.R.groupby("entity").transform("size")
    values = {}
    for metric, column in metrics.items():
        for weighting, weight in (("UNIFORM", 1.0), ("WEIGHTED", cells.R / total * own)):
            mean = (pd.Series(column, index=cells.index) * weight).groupby("entity").mean()
            values[f"{metric} {weighting} {step.name}"] = float(mean.sum() / n_entities)
    return values


def test_against_pandas(files) -> None:
    ours(files, "small")  # compile
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(3):
        for function, spent in zip((ours, peer), times, strict=True):
            start = time.process_time()
            found = function(files, "small")
            spent.append(time.process_time() - start)
            if function is ours:
                wanted = found
    for one, other in zip(wanted, found, strict=True):
        for name, value in one.items():
            assert abs(value - other[name]) < 1e-9, name
    mine, theirs = (float(np.median(spent)) for spent in times)
    print(
        f"\nevaluation over time, {COMPARED:,} lines: ours {mine:.2f} s, pandas {theirs:.2f} s, "
        f"ratio {theirs / mine:.1f} (goal ≥ 5)"
    )


def test_a_large_run(files) -> None:
    """In a process of its own, as the command would."""
    program = (
        "import resource, sys, time; from cascurve.cli import main; status = main(sys.argv[1:]);"
        "print('CPU', time.process_time(), 'peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20);"
        "sys.exit(status)"
    )
    command = [sys.executable, "-c", program, "timeaware", "--runs", files["large"], "--judgments", files["judgments"]]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--out", files["large"].parent / "out", "--no-plots"], capture_output=True, text=True, check=True
    )
    took = time.perf_counter() - start
    _, cpu, _, peak = done.stdout.splitlines()[-1].split()
    print(
        f"\n{LARGE:,} lines ({files['large'].stat().st_size / 2**20:.0f} MiB): {float(cpu):.1f} s of CPU, {took:.1f} s "
        f"of clock (goal ≤ 60), peak {float(peak):.2f} GiB (goal ≤ 2)"
    )
