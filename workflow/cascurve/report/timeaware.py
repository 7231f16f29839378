"""The report's section on models over time."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from cascurve.report.html import bullets, folded, paragraph, section, table
from cascurve.report.pictures import Picture
from cascurve.timeaware.order import FEWEST_ENTITIES
from cascurve.timeaware.slices import FITTING

METRIC = "MAP"
Row = dict[str, Any]


def timeaware_section(tables: Mapping[str, pa.Table], pictures: Sequence[Picture]) -> str:
    """The section; empty where the study does not ask for it.

    Parameters
    ----------
    tables : by name: windows, performance, orders, left_out.
    pictures : one per group that has anything to show.
    """
    if not tables:
        return ""
    rows = {name: content.to_pylist() for name, content in tables.items()}
    parts = [
        paragraph(
            "Is a model good all the time, or only in a quiet month? An entity is a source (or a cascade), a "
            "document a user, true when infected; a slice is a window of time. Burst-aware weights give each window of "
            "an entity its share of the entity's infections; docs/timeaware.md defines them. Intervals hold for all "
            "pairs of a cell at once (95 %, resampled entities of these data alone)."
        ),
        bullets([*_over_time(rows["windows"], rows["performance"]), *_nothing(rows)]),
        bullets(order_sentences(rows["orders"])),
        *(picture.html() for picture in pictures),
        _left_out(rows["left_out"]),
        _orders(rows["orders"]),
    ]
    return section("Over time", "timeaware", *parts)


def order_sentences(orders: Sequence[Row]) -> list[str]:
    """Per group and slices: do burst-aware weights change the order of models by MAP?"""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in orders:
        if row.get("metric") == METRIC and row["slices"] not in ("all", "1"):
            found.setdefault((row["group"], row["slices"]), []).append(row)
    return [_order_sentence(group, slices, rows) for (group, slices), rows in found.items()]


def _order_sentence(group: str, slices: str, rows: list[Row]) -> str:
    count = {name: sum(row["verdict"] == name for row in rows) for name in ("reversed", "changed", "same", "unknown")}
    turned = sum(row["turned"] for row in rows)
    cells = len({(row["data"], row["length"]) for row in rows})
    least = min(row["tau"] for row in rows)
    what = f"{slices} windows" if slices.isdigit() else _kind(slices)
    words = (
        f"{group}, {what}: burst-aware weights turn the sign of {turned} of {len(rows)} differences between two models"
    )
    words += f" ({cells} cells, Kendall's tau between the two orders of models at least {least:.2f}); "
    words += f"{count['reversed']} orders are established both ways" if count["reversed"] else "no order is reversed"
    words += f", and {count['changed']} differences are established to change in size"
    if count["unknown"]:
        words += f"; {count['unknown']} have fewer than {FEWEST_ENTITIES} entities and no interval"
    return f"{words}."


def _over_time(windows: Sequence[Row], performance: Sequence[Row]) -> list[str]:
    """Per group: the range of the disorder and of each model's MAP over windows."""
    said = []
    for group in dict.fromkeys(row["group"] for row in performance):
        own = [row for row in performance if row["group"] == group and row["metric"] == METRIC]
        counted = len({(row["data"], row["length"], row["slices"], row["slice"]) for row in own})
        by_model = {
            model: [row["uniform"] / row["chance"] for row in own if row["model"] == model and row["chance"]]
            for model in dict.fromkeys(row["model"] for row in own)
        }
        ratios = "; ".join(
            f"{model} beats chance in {sum(value > 1 for value in values) / len(values):.0%} "
            f"(median {sorted(values)[len(values) // 2]:.3g} × chance)"
            for model, values in by_model.items()
            if values
        )
        hard = _hardness([row for row in windows if row["group"] == group])
        said.append(f"{group}, over {counted} windows (all lengths and slices): {ratios}; {hard}.")
    return said


def _hardness(windows: Sequence[Row]) -> str:
    """The range of the corrected APCE, and in how many windows it is unknown and why."""
    known = [row["apce_bayes"] for row in windows if row["apce_bayes"] is not None]
    notes = dict.fromkeys(row["apce_note"] for row in windows if row["apce_note"])
    unknown = f"unknown in {len(windows) - len(known)} of {len(windows)}, where {' or '.join(notes)}" if notes else ""
    if not known:
        return f"corrected APCE of a window {unknown}"
    range_ = f"corrected APCE of a window between {min(known):.2f} and {max(known):.2f}"
    return f"{range_}, {unknown}" if unknown else range_


def _nothing(rows: Mapping[str, Sequence[Row]]) -> list[str]:
    """One sentence per group that has no window at all."""
    shown = {row["group"] for row in rows["performance"]}
    reasons: dict[str, dict[str, None]] = {}
    for row in rows["left_out"]:
        if row["group"] not in shown:
            reasons.setdefault(row["group"], {})[row["reason"]] = None
    return [f"{group}: nothing can be shown over time ({'; '.join(why)})." for group, why in reasons.items()]


def _kind(slices: str) -> str:
    return "windows of a width that fits the data" if slices == FITTING else f"slices '{slices}'"


def _left_out(rows: Sequence[Row]) -> str:
    """One line per group, slices and reason, with the lengths."""
    if not rows:
        return ""
    lengths: dict[tuple[str, str, str], list[int]] = {}
    for row in rows:
        lengths.setdefault((row["group"], row["slices"] or "all of them", row["reason"]), []).append(row["length"])
    columns = ("data", "slices", "lengths", "reason")
    cells = [(group, kind, ", ".join(map(str, own)), why) for (group, kind, why), own in lengths.items()]
    return table(columns, cells, "Data that cannot be shown over time.")


def _orders(rows: Sequence[Row]) -> str:
    columns = (
        "data", "length", "slices", "metric", "a", "b", "entities", "difference_uniform", "difference_weighted",
        "change", "change_low", "change_high", "tau", "verdict",
    )  # fmt: skip
    chosen = [row for row in rows if row.get("metric") == METRIC]
    caption = (
        "Mean difference of a and b over the entities by MAP, uniform and burst-aware; change: the second less the "
        "first. All metrics stand in timeaware/orders.parquet."
    )
    inner = table(columns, ([row[name] for name in columns] for row in chosen), caption)
    return folded(f"{len(chosen)} differences between models, uniform and burst-aware", inner) if chosen else ""
