"""The report: one HTML file that needs nothing else, with what is missing first."""

from collections.abc import Container, Mapping, Sequence
from html import escape
from typing import Any

import pyarrow as pa

from cascurve.curves.cells import CONTROLS, DIFFICULTIES
from cascurve.curves.comparison import Comparison
from cascurve.curves.nulls import worth_together
from cascurve.disorder.apce import TRUSTED_SUPPORT
from cascurve.report import paper as about
from cascurve.report.analyses import analysed
from cascurve.report.data_card import DataCard
from cascurve.report.html import bullets, folded, paragraph, section, table, text
from cascurve.report.pictures import Picture, dark_colours
from cascurve.report.stylesheet import stylesheet
from cascurve.report.verdicts import verdicts


def build(
    *,
    study: str,
    points: pa.Table,
    fits: pa.Table,
    nulls: pa.Table,
    comparisons: Sequence[Comparison],
    pictures: Sequence[Picture],
    config: str,
    provenance: Mapping[str, Any],
    cards: Sequence[DataCard] = (),
    cost: pa.Table | None = None,
    analyses: Mapping[str, pa.Table] | None = None,
    downloads: Mapping[str, str] | None = None,
    further: Sequence[str] = (),
    further_pictures: Sequence[Picture] = (),
    absent: Mapping[str, str] | None = None,
    paper: Mapping[str, pa.Table] | None = None,
    settings: str = "",
) -> str:
    """The whole page.

    Parameters
    ----------
    study : the study's name.
    points, fits, nulls : tables of these kinds.
    config : the configuration as text.
    provenance : name -> value: seed, versions, digests.
    cards : of the real data sets.
    cost : time and memory, any columns.
    analyses : tables of kinds "collapse", "families" and "errors_in_x"; any may be missing.
    downloads : label -> path relative to the page.
    further : sections on other evaluations, as HTML, and the pictures in them.
    absent : optional data set that was left out -> the file that it lacks.
    paper : tables of kinds "reproduction" and "table1", of a study that is held against the paper.
    settings : the section on what was run, as HTML.
    """
    xs = {DIFFICULTIES[0], *(comparison.x for comparison in comparisons)}
    sections = [
        section("Missing results", "missing", _missing(points), about.absent(absent or {})),
        section(
            "Verdicts",
            "verdicts",
            verdicts(comparisons),
            _cautions(points, nulls, xs, [warning for card in cards for warning in card.warnings]),
        ),
        *((about.claims(paper["reproduction"]), about.table1(paper["table1"])) if paper else ()),
        section("Figures", "figures", *(picture.html() for picture in pictures)),
        section("Curves, and what their R² is worth", "fits", _fits(fits, nulls)),
        *analysed(analyses or {}),
        section("Comparisons", "comparisons", *map(_comparison, comparisons)),
        *further,
        section("Points", "points", folded(f"all {len(points)} points", _whole(points, "One row per cell and model."))),
        section("Data", "data", *(card.html() for card in cards)),
        settings,
        section("Cost", "cost", _whole(cost, "Time and memory of the fits.") if cost is not None else ""),
        section("Downloads", "downloads", _links(downloads or {})),
        about.references(),
        section(
            "Configuration",
            "configuration",
            paragraph("This study again: save these keys as study.yaml, and run"),
            "<pre>snakemake --cores all --configfile study.yaml</pre>",
            folded("the study's keys", f"<pre>{escape(config)}</pre>"),
        ),
        section("Provenance", "provenance", table(("what", "value"), provenance.items(), "What made this report.")),
    ]
    claims = '<a href="#reproduction">the paper\'s claims</a>' if paper else ""
    links = claims + "".join(f'<a href="#{picture.name}">{escape(picture.name)}</a>' for picture in pictures)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(study)}: performance characteristic curves</title>"
        '<link rel="icon" href="data:,">'
        f"<style>{stylesheet(dark_colours([*pictures, *further_pictures]))}</style></head><body>"
        f"<header><h1>{escape(study)}: performance characteristic curves</h1>"
        f'<nav aria-label="sections"><a href="#verdicts">verdicts</a>{links}<a href="#fits">fits</a>'
        '<a href="#points">points</a><a href="#configuration">configuration</a></nav></header>'
        f"<main>{''.join(sections)}</main></body></html>\n"
    )


def _missing(points: pa.Table) -> str:
    """The cells without a result, by reason; or that there are none."""
    rows = points.to_pylist()
    failed = [row for row in rows if row["status"] != "ok"]
    models = len({row["model"] for row in rows})
    if not failed:
        return paragraph(f"None: all {len(rows)} points ({models} models) have a result.")
    keys = ("group", "network", "mechanism", "lengths", "models", "status")
    lengths: dict[tuple[Any, ...], set[int]] = {}  # of each place, model and reason
    for row in sorted(failed, key=lambda row: tuple(str(row.get(key)) for key in ("status", *keys[:3], "model"))):
        lengths.setdefault(tuple(row.get(key) for key in (*keys[:3], "model", "status")), set()).add(row["length"])
    sharing: dict[tuple[Any, ...], list[str]] = {}  # models of each place, lengths and reason
    for (*place, model, status), found in lengths.items():
        sharing.setdefault((*place, text(sorted(found)), status), []).append(model)
    grouped = [
        (*place, f"all {models}" if len(names) == models else text(names), status)
        for (*place, status), names in sharing.items()
    ]
    head = paragraph(f"{len(failed)} of {len(rows)} points have no result; everything below is without them.", "warn")
    return head + table(keys, grouped, "Points without a result, and why.")


def _cautions(points: pa.Table, nulls: pa.Table, xs: Container[str], data: Sequence[str]) -> str:
    """What a reader must know before believing a curve by one of the difficulties `xs`; warnings about `data` first."""
    found = [*data]
    places: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in nulls.to_pylist():
        if row["x"] in xs and row["model"] not in CONTROLS:
            places.setdefault((row["group"], row["x"]), []).append(row)
    found += filter(None, map(worth_together, places.values()))
    support = {
        (row["network"], row.get("mechanism"), row["replicate"], row["length"]): row["pair_support"]
        for row in points.to_pylist()
        if row.get("pair_support") is not None
    }
    low = [value for value in support.values() if value < TRUSTED_SUPPORT]
    if low:
        found.append(
            f"In {len(low)} of {len(support)} data sets a pair is seen fewer than {TRUSTED_SUPPORT:g} times on average "
            f"(least: {min(low):.2g}); their plug-in APCE is too low and depends on the number of cascades. "
            "Prefer apce_bayes there: it has the smallest error in small samples."
        )
    return paragraph("Before you believe a curve:") + bullets(found, "warn") if found else ""


def _fits(fits: pa.Table, nulls: pa.Table) -> str:
    by_place = {(row["group"], row["model"], row["x"]): row for row in nulls.to_pylist()}
    nulled = ("R² permuted within (N, L)", "R² of log SMAP", "its R² permuted", "R² of MAP", "R² of random")
    columns = (
        "group",
        "model",
        "x",
        "family",
        "y0",
        "amplitude",
        "rate",
        "R²",
        *nulled,
        "correlation within (N, L)",
        "rmse",
        "points",
        "status",
    )
    rows = []
    for fit in (row for row in fits.to_pylist() if row["y"] == "smap"):
        null = by_place.get((fit["group"], fit["model"], fit["x"]), {})
        rows.append(
            [fit[key] for key in ("group", "model", "x", "family", "y0", "amplitude", "rate", "r2")]
            + [null.get(key) for key in ("r2_permuted", "r2_log", "r2_log_permuted", "r2_map", "r2_random")]
            + [null.get("within_correlation")]
            + [fit[key] for key in ("rmse", "n_points", "status")]
        )
    caption = (
        "y = y0 + A exp(−B x) through SMAP, replicates averaged first. The three R² beside R² need no relation "
        "between difficulty and accuracy: an R² that is not well above them is no evidence of a curve."
    )
    return table(columns, rows, caption)


def _comparison(comparison: Comparison) -> str:
    edges = ", ".join(map(text, comparison.edges)) or "none"
    rows: list[tuple[Any, ...]] = []
    for pair in comparison.pairs:
        for label, contrast in zip(("overall", "easy", "middle", "hard"), (pair.overall, *pair.terciles), strict=False):
            interval = f"[{text(contrast.low)}, {text(contrast.high)}]" if contrast.low is not None else "–"
            facts = (contrast.mean, interval, contrast.n_cells, contrast.n_networks, contrast.verdict)
            rows.append((f"{pair.a} / {pair.b}", label, *facts))
        over_x = pair.difference
        for region in over_x.regions if over_x else ():
            where = f"{text(region.start)} to {text(region.stop)}"
            rows.append((f"{pair.a} / {pair.b}", where, None, "", None, None, region.verdict))
        if over_x:
            agree = {True: "agree", False: "disagree with the cells", None: "not identified"}[over_x.curves_agree]
            area, low, high = map(text, over_x.area)
            words = (
                f"area {area} [{low}, {high}]; p = {text(over_x.p_value)} for no difference anywhere; curves: {agree}"
            )
            rows.append((f"{pair.a} / {pair.b}", "all", None, "", None, None, words))
    caption = (
        f"{comparison.group}: mean of log(MAP of the first / MAP of the second) per cell, with simultaneous "
        f"{comparison.level:.0%} intervals from resampling {comparison.networks} networks; limits of the thirds by "
        f"{comparison.x}: {edges}."
    )
    columns = ("pair", "cells", "log ratio", "interval", "n cells", "n networks", "first is")
    return folded(f"{comparison.group}: {len(comparison.pairs)} pairs", table(columns, rows, caption))


def _whole(content: pa.Table, caption: str) -> str:
    return table(content.column_names, (list(row.values()) for row in content.to_pylist()), caption)


def _links(downloads: Mapping[str, str]) -> str:
    inner = "".join(f'<li><a href="{escape(path)}">{escape(label)}</a></li>' for label, path in downloads.items())
    return f"<ul>{inner}</ul>" if inner else ""
