"""The report's section on which measure picks the better model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from cascurve.report.html import bullets, folded, paragraph, section, table
from cascurve.report.pictures import Picture
from cascurve.selection.basis import basis
from cascurve.selection.measures import BLIND, CONTROL, MEASURES

REVERSED = (
    "The paper concluded that the goal is often not the best measure to choose by. Its authors took that back "
    "(Huang, Ling, Zhang and Matwin, ECML-PKDD 2008): the experiment had a flaw, and only the goal itself selects most "
    "reliably. Compare each measure with the control, which knows no labels: what the control reaches, a measure "
    "need not have learnt from the truth."
)
NO_MORE = 0.02
"""A lead over the control that is no lead."""

Row = dict[str, Any]


def selection_section(tables: Mapping[str, pa.Table], pictures: Sequence[Picture]) -> str:
    """The section; empty where the study asks nothing of the measures.

    Parameters
    ----------
    tables : by name: cases and tolerance (classifiers), cells and summary (diffusion); each may be absent.
    """
    parts = []
    if "summary" in tables:
        parts += [_answers(tables["summary"].to_pylist()), _summary(tables["summary"].to_pylist())]
    if "cases" in tables:
        parts += [_classifiers(tables["cases"].to_pylist())]
    return section("Which measure picks the better model?", "selection", *parts, *(p.html() for p in pictures))


def answers(rows: Iterable[Row]) -> list[str]:
    """By which measure to choose, in sentences: one per set of candidates, for the fewest and for the most cascades."""
    overall = [row for row in rows if row["by"] == "overall"]
    ends = sorted({row["m"] for row in overall})[:: max(len({row["m"] for row in overall}) - 1, 1)]
    found: dict[tuple[str, str, int], list[Row]] = {}
    for row in overall:
        if row["m"] in ends:
            found.setdefault((row["candidates"], row["kind"], row["m"]), []).append(row)
    return [_answer(label, kind, m, of) for (label, kind, m), of in found.items()]


def _answer(label: str, kind: str, m: int, rows: list[Row]) -> str:
    """The measure with the greatest mean MSA over the goals, the goals themselves, and what the control reaches."""
    goals = list(dict.fromkeys(row["goal"] for row in rows))
    by_measure: dict[str, list[Row]] = {}
    for row in rows:
        by_measure.setdefault(row["measure"], []).append(row)
    most = max(row["n_pairs"] for row in rows)
    complete = {name: of for name, of in by_measure.items() if min(row["n_pairs"] for row in of) > most - 0.5}
    means = {name: sum(row["msa"] for row in of) / len(of) for name, of in complete.items() if name != BLIND}
    best = max(means, key=lambda name: means[name])
    own = [row["msa"] for row in rows if row["measure"] == row["goal"]]
    ahead = [row["goal"] for row in by_measure[best] if row["gain_low"] > 0]
    words = (
        f"{label} ({kind}), {m} cascade{'s' if m > 1 else ''}: {best} picks the better model in {means[best]:.0%} of "
        f"pairs, the goals themselves in {sum(own) / len(own):.0%} (means over {', '.join(goals)}; "
        f"{basis(most, max(row['cells'] for row in by_measure[best]))}). "
    )
    words += f"Shown to be better than the goal itself for: {', '.join(ahead) or 'no goal'}."
    if BLIND in by_measure:
        reached = sum(row["msa"] for row in by_measure[BLIND]) / len(by_measure[BLIND])
        words += f" The control, which knows no truth, reaches {reached:.0%}"
        if reached >= means[best] - NO_MORE:
            words += (
                ": as much as the best measure. Among these candidates the one with the wider spread of scores is the "
                "better one; that speaks for no measure."
            )
        else:
            more = reached > sum(own) / len(own)
            words += ", more than the goals: part of the lead is not due to the truth." if more else "."
    return words


def _answers(rows: list[Row]) -> str:
    over = {"networks": "resampled networks", "cascades": "resampled cascades of these networks alone"}
    basis = ", ".join(over[kind] for kind in sorted({row["interval"] for row in rows}))
    head = paragraph(
        "With few cascades, by which measure should you choose a model? The truth is the goal's mean on one half of "
        "the test cascades; the measures see m cascades of the other half. Intervals hold for all measures at once "
        f"(95 %, {basis})."
    )
    if BLIND not in {row["measure"] for row in rows}:
        head += paragraph(
            f"The control, which knows no truth, is missing, since the study does not measure it: add "
            f"`measures: {{{BLIND}: {{}}}}`, and the measures that should compete with map and smap."
        )
    columns = (
        "candidates", "goal", "m", "pairs", "data sets", "MSA of the goal", "best measure", "its MSA", "gain", "from",
        "to", "control",
    )  # fmt: skip
    caption = (
        "The best of the measures that have a value for every pair, the control apart; gain over the goal itself; "
        "pairs of models per data set."
    )
    return head + bullets(answers(rows)) + table(columns, _best(rows), caption)


def _best(rows: list[Row]) -> list[list[Any]]:
    """Per candidates, goal and m: the goal's MSA, the best measure with its gain and interval, the control."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row["by"] == "overall":
            found.setdefault((row["candidates"], row["goal"], row["m"]), []).append(row)
    listed: list[list[Any]] = []
    for place, of in found.items():
        msa = {row["measure"]: row["msa"] for row in of}
        most = max(row["n_pairs"] for row in of) - 0.5
        top = max((row for row in of if row["n_pairs"] > most and row["measure"] != BLIND), key=lambda row: row["msa"])
        gain = [top[key] for key in ("measure", "msa", "gain", "gain_low", "gain_high")]
        listed.append([*place, top["n_pairs"], top["cells"], msa.get(place[1]), *gain, msa.get(BLIND)])
    return listed


def _summary(rows: list[Row]) -> str:
    columns = (
        "by", "level", "candidates", "goal", "m", "measure", "msa", "msa_low", "msa_high", "gain", "gain_low",
        "gain_high", "msa_clear", "n_pairs", "n_clear", "cells", "networks",
        *(name for name in rows[0] if name.startswith("within_")),
    )  # fmt: skip
    caption = (
        "msa: share of pairs of models of which the measure picks the better one; gain: that over the goal itself, on "
        "the same pairs; msa_clear: over pairs that differ by the goal at 5 %; within_x: share of cells within x % of "
        "the best measure."
    )
    overall = [row for row in rows if row["by"] == "overall"]
    parts = [folded("all measures, overall", table(columns, ([row[c] for c in columns] for row in overall), caption))]
    fewest = min(row["m"] for row in rows)
    for by, words in (("group", "topology or data set"), ("mechanism", "mechanism"), ("length", "length")):
        chosen = [row for row in rows if row["by"] == by and row["m"] == fewest]
        if chosen:
            inner = table(columns, ([row[c] for c in columns] for row in chosen), caption)
            parts.append(folded(f"by {words}, m = {fewest} (all m in selection/summary.parquet)", inner))
    return "".join(parts)


def _classifiers(rows: list[Row]) -> str:
    """Mean MSA by learner and measure for each way to count, and how the goal ranks among the measures."""
    names = list(MEASURES)
    means: dict[tuple[Any, ...], dict[str, list[float]]] = {}
    pairs: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        if row["msa"] == row["msa"]:
            key = row["truth"], row["ties"], row["pairs"], row["learner"], row["goal"]
            pairs.setdefault(key, []).append(row["n_pairs"])
            means.setdefault(key, {}).setdefault(row["measure"], []).append(row["msa"])
    listed = [
        [
            *key,
            len(next(iter(found.values()))),
            _mean(pairs[key]),
            *(_mean(found.get(name)) for name in names),
            _rank(found, key[4]),
        ]
        for key, found in means.items()
    ]
    columns = ("truth", "ties", "pairs", "learner", "goal", "sets", "pairs of models", *names, "rank of the goal")
    caption = (
        "Mean MSA over the data sets, for every way to count: truth on the same test sets (the paper) or on another "
        "half; ties wrong or half; all pairs or those that differ by the goal. Rank 1 is the best of the nine measures."
    )
    return paragraph(REVERSED, "warn") + folded(f"classifiers: {len(listed)} means", table(columns, listed, caption))


def _mean(values: list[float] | None) -> float | None:
    return sum(values) / len(values) if values else None


def _rank(found: Mapping[str, list[float]], goal: str) -> int | None:
    own = _mean(found.get(goal))
    others = [_mean(values) for name, values in found.items() if name not in (goal, CONTROL)]
    return None if own is None else 1 + sum(value is not None and value > own for value in others)
