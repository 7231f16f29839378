"""Stage: the report's sections on the evaluations beside the curves: novelty, time, and the choice of a measure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from cascurve import plugins
from cascurve.report.novelty import novelty_section
from cascurve.report.pictures import Picture
from cascurve.report.selection import selection_section
from cascurve.report.timeaware import timeaware_section
from cascurve.storage import read_table


@dataclass(frozen=True)
class Further:
    """Sections as HTML, the pictures in them, and the files beside the page that they offer (label -> path)."""

    sections: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    downloads: dict[str, str] = field(default_factory=dict)


def further(
    spec: Mapping[str, Any], *, novelty: Iterable[str], timeaware: Iterable[str], selection: Iterable[str]
) -> Further:
    """What the study has of them.

    Parameters
    ----------
    spec : key selection_figures (name -> module and parameters).
    novelty : the table of kind "novelty_points".
    timeaware, selection : tables, and SVG files with a description beside each (``.txt``).
    """
    found = Further()
    for file in novelty:
        found.sections.append(novelty_section(read_table(file, "novelty_points")[0]))
        found.downloads["novelty.parquet"] = "novelty.parquet"
    tables, svgs = _split(timeaware, "timeaware")
    shown = set(tables["performance"].column("group").to_pylist()) if tables else set()
    svgs = [svg for svg in svgs if svg.stem in shown]
    pictures = [picture(svg, f"{svg.stem} over time", f"timeaware-{svg.stem}") for svg in svgs]
    found.sections.append(timeaware_section(tables, pictures))
    found.pictures.extend(pictures)
    tables, svgs = _split(selection, "selection")
    pictures = [picture(svg, _selection_title(spec["selection_figures"][svg.stem])) for svg in svgs]
    found.sections.append(selection_section(tables, pictures))
    found.pictures.extend(pictures)
    found.downloads.update({f"selection/{name}.parquet": f"selection/{name}.parquet" for name in tables})
    return found


def picture(svg: Path, title: str, name: str = "") -> Picture:
    """The figure in an SVG file, with the description beside it; called after its file unless it has a `name`."""
    drawn, words = (svg.with_suffix(ending).read_text(encoding="utf-8") for ending in (".svg", ".txt"))
    return Picture(name or svg.stem, title, drawn, words)


def _split(files: Iterable[str], what: str) -> tuple[dict[str, pa.Table], list[Path]]:
    """Tables by name, and SVG files."""
    paths = [Path(file) for file in files]
    tables = {path.stem: read_table(path, f"{what}_{path.stem}")[0] for path in paths if path.suffix == ".parquet"}
    return tables, [path for path in paths if path.suffix == ".svg"]


def _selection_title(figure: Mapping[str, Any]) -> str:
    title: str = plugins.load("figures/selection", figure["module"]).title(**figure["parameters"])
    return title
