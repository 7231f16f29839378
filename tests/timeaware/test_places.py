"""Places found by counting are those of a plain sort, for any ties, names and slices."""

import numpy as np
import pytest

from cascurve.timeaware.judgments import read_judgments
from cascurve.timeaware.places import Truth, count, places
from cascurve.timeaware.runs import read_run
from cascurve.timeaware.slices import Slicing
from cascurve.timeaware.standings import standings


def made_up(folder, seed: int):
    """Judgments and a run with many ties of confidence and time, and names of different lengths."""
    rng = np.random.default_rng(seed)
    names = sorted({f"{rng.integers(90, 120)}-{'ab'[rng.integers(2)] * rng.integers(1, 20)}" for _ in range(150)})
    judged, lines = [], []
    for entity in ("x", "y", "zz"):
        for name in names:
            if rng.random() < 0.5:
                judged.append(f"N a {name} {entity} {rng.choice([0, 1000])} {rng.integers(-1, 3)} 1")
            if rng.random() < 0.3:
                judged.append(f"N b\t{name} {entity} 1000 {rng.integers(-1, 3)} 1")
            if rng.random() < 0.6:
                lines.append(f"t r {name} {entity} {rng.choice([1, 2.5, 1e3])} 1 1")
    rng.shuffle(lines)
    (folder / "judged.txt").write_text("\n".join(judged) + "\n")
    (folder / "run.txt").write_text("\n".join([*lines, "t r 100-c other 5 1 1"]) + "\n")
    return folder / "judged.txt", folder / "run.txt"


def plainly(judged, run, entity: str, low: float, up: float, level: int) -> tuple[int, int, list[int]]:
    """(true documents, predictions, places of true ones from 0) of one slice, by sorting Python tuples."""
    labels: dict[str, int] = {}
    for line in judged.read_text().splitlines():
        _, _, name, owner, confidence, label, _ = line.split()
        if owner == entity and float(confidence) > 0:
            labels[name] = min(labels.get(name, 99), int(label))
    inside = {name for name in labels if low <= int(name.split("-")[0]) < up}
    true = {name for name in inside if labels[name] >= level}
    rows = [line.split() for line in run.read_text().splitlines()]
    ranking = sorted(
        ((float(c), name) for _, _, name, owner, c, _, _ in rows if owner == entity), key=lambda row: row, reverse=True
    )
    shown = [name for _, name in ranking if low <= int(name.split("-")[0]) < up]
    return len(true), len(shown), [place for place, name in enumerate(shown) if name in true]


@pytest.mark.parametrize("seed", range(4))
def test_places_equal_a_sort(tmp_path, seed) -> None:
    judged, file = made_up(tmp_path, seed)
    judgments = read_judgments([judged], start=90, end=120)
    run = read_run(file, judgments)
    assert run.counts["other_entities"] == 1
    compared, standing = 0, standings(run, judgments, 1)
    for step in (Slicing("all", 90, 30, 1), Slicing("7", 90, 7, 5), Slicing("1", 90, 1, 30)):
        counted = count(run, standing, Truth(judgments, 1, step))
        for level in (1, 2):
            truth = Truth(judgments, level, step)
            ranks, predicted = places(counted, truth), counted.predicted
            for cell in range(len(truth.cells)):
                low = truth.cells.lows[cell]
                number = truth.cells.entity[cell]
                entity = judgments.entities[number]
                n_true, n, where = plainly(judged, file, entity, low, low + step.width, level)
                assert ranks.n_relevant[cell] == n_true > 0
                assert ranks.n_candidates[cell] == n == predicted[number, truth.cells.slice[cell]]
                assert ranks.above[ranks.offsets[cell] : ranks.offsets[cell + 1]].tolist() == where
                compared += len(where)
    assert compared > 200


def test_predictions_are_counted_by_what_is_known_of_them(tmp_path) -> None:
    judged, file = made_up(tmp_path, 9)
    judgments = read_judgments([judged], start=90, end=120)
    known = set()
    for line in judged.read_text().splitlines():
        _, _, name, owner, confidence, _, _ = line.split()
        if float(confidence) > 0:
            known.add((name, owner))
    rows = [line.split() for line in file.read_text().splitlines()]
    counts = read_run(file, judgments).counts
    assert counts["predictions"] == len(rows)
    assert counts["judged"] == sum((row[2], row[3]) in known for row in rows)
    assert counts["unjudged"] == len(rows) - 1 - counts["judged"]
