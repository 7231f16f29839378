"""Sections of the report on what the curves rest on: scaling, family, and the error of the difficulty."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from cascurve.curves.cells import CONTROLS
from cascurve.report.html import bullets, folded, section, table, text


def analysed(tables: Mapping[str, pa.Table]) -> list[str]:
    """The sections, as HTML; a table that is not there has none."""
    shown = {
        "collapse": ("Does it collapse?", _collapse),
        "families": ("Which family of curves?", _families),
        "errors_in_x": ("Does the error of the difficulty matter?", _errors_in_x),
    }
    return [section(title, name, build(tables[name])) for name, (title, build) in shown.items() if name in tables]


def _collapse(collapse: pa.Table) -> str:
    rows = collapse.to_pylist()
    said = []
    for row in rows:
        if row["scaling"] == "fitted" and row["holds_paper"] is not None and row["model"] not in CONTROLS:
            inside = "inside" if row["holds_paper"] else "outside"
            said.append(
                f"{row['group']}, {row['model']} against {row['x']}: the fitted exponents are a = {row['a']:.2f} "
                f"[{row['a_low']:.2f}, {row['a_high']:.2f}], b = {row['b']:.2f} "
                f"[{row['b_low']:.2f}, {row['b_high']:.2f}]; the paper's (1, 1) lies {inside} their 95 % region."
            )
    said += [
        f"{group}, {model}: the scaling '{row['scaling']}' against {row['x']} collapses best (spread "
        f"{row['spread']:.2f} in log, S = {text(row['quality'])}); the paper's, against {paper['x']}, leaves "
        f"{paper['spread']:.2f}."
        for (group, model), (row, paper) in _best_collapses(rows).items()
    ]
    columns = ("group", "model", "x", "scaling", "a", "b", "quality", "spread", "status")
    caption = (
        "MAP under each scaling: none; the paper's N/L; over chance; from the floor (exact chance) to the ceiling "
        "(the oracle), where the study has one; N^a/L^b with fitted exponents. Quality is Houdayer and Hartmann's S: "
        "about 1 where sampling of the test cascades explains the scatter between (N, L) groups. Spread is the mean "
        "distance in log between groups: the scaling with the least collapses best."
    )
    return bullets(said) + folded(
        "all scalings", table(columns, ([row[key] for key in columns] for row in rows), caption)
    )


def _best_collapses(rows: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[dict[str, Any], dict[str, Any]]]:
    """(group, model) -> the row of the scaling and difficulty with the least spread, and the best of the paper's."""
    found: dict[tuple[str, str], tuple[dict[str, Any], dict[str, Any]]] = {}
    known = [row for row in rows if row["spread"] is not None and row["model"] not in CONTROLS]
    for place in dict.fromkeys((row["group"], row["model"]) for row in known):
        own = [row for row in known if (row["group"], row["model"]) == place]
        papers = [row for row in own if row["scaling"] == "paper"]
        if papers:
            found[place] = _tightest(own), _tightest(papers)
    return found


def _tightest(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return min(rows, key=lambda row: float(row["spread"]))


def _errors_in_x(found: pa.Table) -> str:
    rows = [row for row in found.to_pylist() if row["model"] not in CONTROLS]
    said = [
        f"{row['group']}, {row['model']} against {row['x']}: difficulty is known to ±{row['error']:.2g} (reliability "
        f"{row['reliability']:.3f}); taking its error out (SIMEX) moves the curve by at most {row['shift']:.1%}."
        for row in rows
    ]
    return bullets(said)


def _families(families: pa.Table) -> str:
    columns = ("group", "model", "x", "family", "left_out_r2", "weight", "r2", "aicc", "status", "parameters")
    rows = families.to_pylist()
    best = [
        f"{place[0]}, {place[1]} against {place[2]}: {_said_of(top)}." for place, top in _best_by_place(rows).items()
    ]
    caption = (
        "left_out_r2: R² on networks left out of the fit; weight: how often the family is best when networks are "
        "resampled. The isotonic fit, which only never rises, shows what any falling curve can reach."
    )
    return bullets(best) + folded(
        "all families", table(columns, ([row[key] for key in columns] for row in rows), caption)
    )


def _said_of(best: dict[str, Any]) -> str:
    if best["left_out_r2"] <= 0:
        return "no family predicts left-out networks better than their mean does"
    worth = f"R² {text(best['left_out_r2'])}, in {best['weight']:.0%} of resamples"
    return f"{best['family']} predicts left-out networks best ({worth})"


def _best_by_place(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The family with the greatest left-out R² for each (group, model, x) but the controls'."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        place = row["group"], row["model"], row["x"]
        if row["left_out_r2"] is None or row["model"] in CONTROLS:
            continue
        if place not in found or row["left_out_r2"] > found[place]["left_out_r2"]:
            found[place] = row
    return found
