"""Stage: data sets of fixed lengths from real cascades."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cascurve import plugins, seeding
from cascurve.cascades import CascadeSet
from cascurve.dataset import DataSets
from cascurve.empirical.subsample import Subsample, subsample
from cascurve.errors import ConfigError
from cascurve.formats import account
from cascurve.formats.imported import Imported
from cascurve.stages.cells import each_length


def run(spec: dict[str, Any], imported: Imported) -> DataSets:
    """One data set per length; a length that too few cascades have fails, with the reason.

    Parameters
    ----------
    spec : keys seed, dataset, replicate, parameters, lengths, and grade: None, or what `Empirical.grade` gives.

    Returns
    -------
    DataSets
        Whose cells hold ``users`` (the import's user behind each of the N), ``account`` (what was left out) and, of
        a grade, its strength, target and what was reached.
    """
    place = {key: spec[key] for key in ("dataset", "replicate")}

    def draw(length: int) -> tuple[Subsample, dict[str, float]]:
        rng = seeding.generator(spec["seed"], "subsample", length=length, **place)
        try:
            drawn = subsample(imported, length, **spec["parameters"], rng=rng)
        except ConfigError as error:
            raise error.within(f"empirical.{spec['dataset']}") from None
        if spec["grade"] is None:
            return drawn, {}
        # All levels of a method share their draws: they differ in strength only.
        rng = seeding.generator(spec["seed"], "grade", length=length, label=spec["grade"]["label"], **place)
        return _graded(drawn, spec["grade"], rng)

    made, failed = each_length(spec["lengths"], draw)
    cells = {
        length: {"users": sample.users.tolist(), "account": account.to_table(sample.account).to_pylist()} | facts
        for length, (sample, facts) in made.items()
    }
    return DataSets({length: sample.dataset for length, (sample, _) in made.items()}, failed, cells)


def warnings(datasets: DataSets) -> Iterator[str]:
    """One sentence for all lengths whose split lets something through; none where all is well."""
    warned = {
        length: row["note"] for length, cell in datasets.cells.items() for row in cell["account"] if row["warning"]
    }
    if warned:
        first = next(iter(warned))
        lengths = ", ".join(map(str, warned))
        yield f"the split leaks at length {lengths}; at {first}, {warned[first]} (subsample: split, leakage)"


def _graded(drawn: Subsample, grade: dict[str, Any], rng: np.random.Generator) -> tuple[Subsample, dict[str, float]]:
    from cascurve.disorder import apce
    from cascurve.empirical import grading

    method = plugins.load("empirical/graded", grade["module"])
    key = seeding.kernel_key(rng)
    known: dict[bytes, float] = {}

    def measure(cascades: CascadeSet) -> float:
        content = cascades.users.tobytes()
        if content not in known:
            known[content] = float(getattr(apce.measure(cascades, rng=rng), grade["measure"]))
        return known[content]

    return grading.reach(
        drawn,
        lambda sample, strength: method.grade(sample, strength, measure=measure, key=key, **grade["parameters"]),
        measure,
        strengths=method.STRENGTHS,
        target=grade["target"],
        tolerance=grade["tolerance"],
        name=grade["label"],
    )
