"""Stage: MSA and tolerance-ratio curves of the experiment on classifiers, from the kept values."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.selection.measures import CONTROL, GOALS, MEASURES
from cascurve.selection.measuring import sign
from cascurve.selection.small_tests import small_tests
from cascurve.selection.tolerance import tolerance_ratios
from cascurve.storage import parse_partition, read_table

CLASS_SHARES = (("40–50 %", 0.37, 0.53), ("25–30 %", 0.23, 0.32), ("10–12 %", 0.09, 0.125))
"""Groups of the paper's Figure 2 by the share of positives, a little widened: its own limits lost their digits."""


def run(spec: dict[str, Any], files: Iterable[str]) -> tuple[pa.Table, pa.Table]:
    """Tables of kind "selection_cases" and "selection_tolerance".

    Parameters
    ----------
    spec : keys seed, tolerances, and the variant that the curves show: truth, ties, pairs.
    files : tables of kind "classified"; folders ``set=…/learner=…`` say of what.

    Returns
    -------
    cases : a row per set, learner, variant, goal and measure: ``msa``, its standard error, numbers of pairs.
    tolerance : a row per ``by`` (goal | classes | learner | overall), ``level``, ``measure`` and ``tolerance``: the
        ``ratio`` of cases within it, and how many ``cases``.
    """
    rows = [row for file in files for row in _cases(spec, file)]
    shown = [row for row in rows if all(row[key] == spec[key] for key in ("truth", "ties", "pairs"))]
    return pa.Table.from_pylist(rows), pa.Table.from_pylist(_tolerance(shown, spec["tolerances"]))


def _cases(spec: dict[str, Any], file: str) -> list[dict[str, Any]]:
    table, header = read_table(file, "classified")
    place = parse_partition(file)
    values, n_models = _values(table)
    rng = seeding.generator(spec["seed"], "half of the tests", set=place["set"])
    names = list(MEASURES)
    rows = []
    for variant in small_tests(values, [names.index(goal) for goal in GOALS], rng):
        for f, goal in enumerate(GOALS):
            for g, measure in enumerate(names):
                rows.append(
                    {"set": place["set"], "learner": place["learner"]}
                    | {"positive_share": header["n_positive"] / header["n"], "n_train": header["n_train"]}
                    | {"test_size": header["test_size"], "n_models": n_models, "repeats": len(values)}
                    | {"truth": variant.truth, "ties": variant.ties, "pairs": variant.pairs}
                    | {"goal": goal, "measure": measure, "n_pairs": float(variant.n_pairs[f])}
                    | {"msa": float(variant.ability[f, g]), "msa_se": float(variant.ability_se[f, g])}
                )
    return rows


def _values(table: pa.Table) -> tuple[NDArray[np.float64], int]:
    """Shape (repeats, measures, models, tests), greater is better; and the number of models."""
    shape = [int(table.column(key).to_numpy().max()) + 1 for key in ("repeat", "test")]
    n_models = len(table) // (shape[0] * shape[1])
    columns = [
        sign(str(given["use"])) * table.column(name).to_numpy().reshape(shape[0], n_models, shape[1])
        for name, given in MEASURES.items()
    ]
    return np.stack(columns, axis=1), n_models


def _tolerance(rows: list[dict[str, Any]], tolerances: list[float]) -> list[dict[str, Any]]:
    measures = list(MEASURES)
    contenders = np.array([name != CONTROL for name in measures])
    cases: dict[tuple[str, str, str], list[float]] = {}
    shares: dict[tuple[str, str, str], float] = {}
    for row in rows:  # the measures of a case follow one another in their order
        case = row["set"], row["learner"], row["goal"]
        cases.setdefault(case, []).append(row["msa"])
        shares[case] = row["positive_share"]
    levels: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for case in cases:
        levels.setdefault(("overall", "all cases"), []).append(case)
        levels.setdefault(("goal", case[2]), []).append(case)
        levels.setdefault(("learner", case[1]), []).append(case)
        for name, low, high in CLASS_SHARES:
            if low <= shares[case] <= high:
                levels.setdefault(("classes", name), []).append(case)
    found = []
    for (by, level), chosen in levels.items():
        ratios = tolerance_ratios(np.array([cases[case] for case in chosen]), tolerances, contenders)
        for tolerance, of_measures in zip(tolerances, ratios.tolist(), strict=True):
            for measure, ratio in zip(measures, of_measures, strict=True):
                place = {"by": by, "level": level, "measure": measure, "tolerance": float(tolerance)}
                found.append(place | {"ratio": ratio, "cases": len(chosen)})
    return found
