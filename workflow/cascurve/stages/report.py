"""Stage: the report, one offline page."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from cascurve import plugins
from cascurve.curves.comparison import Comparison
from cascurve.formats.account import Step, total
from cascurve.report.data_card import DataCard
from cascurve.report.page import build
from cascurve.report.paper import claims_of
from cascurve.report.pictures import Picture
from cascurve.report.settings import settings
from cascurve.stages.further import Further, picture
from cascurve.storage import parse_partition, read_table

TABLES = ("points.parquet", "fits.parquet", "nulls.parquet", "comparisons.jsonl", "costs.parquet")
"""Files beside the page that it offers, besides the analyses."""


def run(
    spec: dict[str, Any],
    *,
    points: pa.Table,
    fits: pa.Table,
    nulls: pa.Table,
    analyses: Mapping[str, pa.Table],
    comparisons: str,
    figures: Iterable[Path],
    accounts: Iterable[str],
    draws: Iterable[str],
    costs: pa.Table,
    beside: Further,
    paper: Mapping[str, pa.Table] | None = None,
    tables: Iterable[str] = (),
) -> str:
    """The whole page as HTML.

    Parameters
    ----------
    spec : keys study (the configuration), libraries, code, sources (real data set -> its publisher), figures
        (name -> module), and grids and models as `cascurve.report.settings` has them.
    analyses : further tables about the curves, by name.
    comparisons : JSON lines, one comparison each.
    figures : the SVG files; beside each stands its description, ``.txt``.
    accounts, draws : account tables of the real data sets, and the files of what was drawn from them.
    costs : kind "costs".
    beside : the evaluations beside the curves.
    paper : tables of kinds "reproduction" and "table1"; None for a study that is not held against the paper.
    tables : names of CSV and LaTeX files in the folder ``tables``.
    """
    svgs = list(figures)
    endings = ("svg", "pdf", "png")
    downloads = {f"{svg.stem}.{ending}": f"figures/{svg.stem}.{ending}" for svg in svgs for ending in endings}
    downloads |= {name: f"tables/{name}" for name in tables}
    provenance = {
        "seed": spec["study"]["seed"],
        "digest of the report's code": spec["code"],
        "Python": sys.version.split()[0],
        **spec["libraries"],
    }
    return build(
        study=spec["study"]["study"],
        points=points,
        fits=fits,
        nulls=nulls,
        analyses=analyses,
        comparisons=[Comparison.from_json(line) for line in comparisons.splitlines()],
        pictures=[_picture(svg, spec["figures"][svg.stem], paper) for svg in svgs],
        config=yaml.safe_dump(spec["study"], sort_keys=False, allow_unicode=True),
        provenance=provenance,
        cards=list(_cards(accounts, list(draws), spec["sources"])),
        cost=_cost(costs),
        downloads={name: name for name in (*TABLES, *(f"{name}.parquet" for name in (*analyses, *(paper or ()))))}
        | beside.downloads
        | downloads,
        further=beside.sections,
        further_pictures=beside.pictures,
        absent=spec["absent"],
        paper=paper,
        settings=settings(spec["grids"], spec["models"]),
    )


def _picture(svg: Path, module: str, paper: Mapping[str, pa.Table] | None) -> Picture:
    drawn = picture(svg, plugins.load("figures", module).TITLE)
    return replace(drawn, notes=tuple(claims_of(paper["reproduction"], svg.stem))) if paper else drawn


def _cards(accounts: Iterable[str], draws: Iterable[str], sources: Mapping[str, dict[str, str]]) -> Iterator[DataCard]:
    cells = [(parse_partition(file), length, cell) for file in draws for length, cell in _cells(file)]
    for file in accounts:
        name = parse_partition(file)["dataset"]
        drawn = {
            ", ".join([f"L = {length}", *(f"{key} {place[key]}" for key in ("grade", "replicate") if key in place)]): (
                _with_total(cell["account"])
            )
            for place, length, cell in cells
            if place["dataset"] == name
        }
        yield DataCard(name, _with_total(read_table(file, "account")[0].to_pylist()), drawn, sources.get(name, {}))


def _cells(file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Length -> facts about its data set, from the header of a file of kind "datasets"."""
    metadata = pq.read_schema(file).metadata or {}
    yield from json.loads(metadata[b"cascurve"])["cells"].items()


def _with_total(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The account and, last, what its steps add up to."""
    return [*rows, asdict(total(Step(**row) for row in rows))]


def _cost(costs: pa.Table) -> pa.Table:
    """Fits, total and longest seconds, and peak memory, by model."""
    seconds: dict[str, list[float]] = {}
    peaks: dict[str, float] = {}
    for fit in costs.to_pylist():
        seconds.setdefault(fit["model"], []).append(fit["seconds"])
        peaks[fit["model"]] = max(peaks.get(fit["model"], 0.0), fit["peak_mb"])
    rows = [
        {
            "model": model,
            "fits": len(values),
            "seconds": float(np.sum(values)),
            "longest fit, seconds": max(values, default=0.0),
            "peak MB": peaks[model],
        }
        for model, values in seconds.items()
    ]
    return pa.Table.from_pylist(rows)
