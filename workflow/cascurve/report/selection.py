"""The report's section on which measure picks the better model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from cascurve.report.html import bullets, folded, paragraph, section, table
from cascurve.report.pictures import Picture
from cascurve.selection.measures import CONTROL, MEASURES

REVERSED = (
    "The paper concluded that the goal is often not the best measure to choose by. Its authors took that back "
    "(Huang, Ling, Zhang and Matwin, ECML-PKDD 2008): the experiment had a flaw, and only the goal itself selects most "
    "reliably. Compare each measure with the control, which knows no labels: what the control reaches, a measure "
    "need not have learnt from the truth."
)
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
    """By which measure to choose, in sentences: one per set of candidates, goal and m."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row["by"] == "overall":
            found.setdefault((row["candidates"], row["kind"], row["goal"], row["m"]), []).append(row)
    return [said for (label, kind, goal, m), of in found.items() if (said := _answer(label, kind, goal, m, of))]


def _answer(label: str, kind: str, goal: str, m: int, rows: list[Row]) -> str:
    own = next((row for row in rows if row["measure"] == goal), None)
    if own is None:
        return ""
    compared = [row for row in rows if row["n_pairs"] >= own["n_pairs"] - 0.5 and row["measure"] != "score_spread"]
    best = max(compared, key=lambda row: row["msa"])
    ahead = [row["measure"] for row in compared if row["gain_low"] > 0]
    control = next((row for row in rows if row["measure"] == "score_spread"), None)
    words = (
        f"{label} ({kind}), goal {goal}, {m} cascade{'s' if m > 1 else ''}: the goal itself picks the better model in "
        f"{own['msa']:.0%} of pairs"
    )
    if best["measure"] != goal and best["msa"] > own["msa"]:
        gain = f"{100 * best['gain']:+.1f} points [{100 * best['gain_low']:+.1f}, {100 * best['gain_high']:+.1f}]"
        words += f", {best['measure']} in {best['msa']:.0%} ({gain})"
    words += "; " + (f"better than the goal: {', '.join(ahead)}" if ahead else "no measure is shown to be better")
    if control:
        words += f"; the label-free control {control['msa']:.0%}"
    return f"{words}."


def _answers(rows: list[Row]) -> str:
    said = answers(rows)
    few = min((row["m"] for row in rows), default=0)
    first = [sentence for sentence in said if f" {few} cascade" in sentence]
    rest = [sentence for sentence in said if sentence not in first]
    over = {"networks": "resampled networks", "cascades": "resampled cascades of these networks alone"}
    basis = ", ".join(over[kind] for kind in sorted({row["interval"] for row in rows}))
    head = paragraph(
        "With few cascades, by which measure should you choose a model? The truth is the goal's mean on one half of "
        "the test cascades; the measures see m cascades of the other half. Intervals hold for all measures at once "
        f"(95 %, {basis})."
    )
    return head + bullets(first) + folded("with more cascades", bullets(rest))


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
    for row in rows:
        if row["msa"] == row["msa"]:
            key = row["truth"], row["ties"], row["pairs"], row["learner"], row["goal"]
            means.setdefault(key, {}).setdefault(row["measure"], []).append(row["msa"])
    listed = [
        [*key, len(next(iter(found.values()))), *(_mean(found.get(name)) for name in names), _rank(found, key[4])]
        for key, found in means.items()
    ]
    columns = ("truth", "ties", "pairs", "learner", "goal", "sets", *names, "rank of the goal")
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
