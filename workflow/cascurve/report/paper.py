"""The report's sections about the paper: its claims, its Table 1, and what to cite."""

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Any

import pyarrow as pa

from cascurve.report.html import bullets, paragraph, section, table, text
from cascurve.reproduction.table1 import KS

BIBTEX = """@article{pcc2023,
  title = {A performance characteristic curve for model evaluation: the application in information diffusion
    prediction},
  author = {Xie, Wenjin and Wang, Xiaomeng and Michalski, Rados{\\l}aw and Jia, Tao},
  year = {2023},
  eprint = {2309.09537},
  archivePrefix = {arXiv},
  url = {https://arxiv.org/abs/2309.09537},
}
@software{cascurve,
  title = {cascurve: performance characteristic curves for information-diffusion prediction models},
  author = {{The cascurve authors}},
  version = {0.1.0},
}
"""


def claims(found: pa.Table) -> str:
    """The reproduction table: claim, what the paper has, what this study finds, verdict; links to the figures."""
    rows = found.to_pylist()
    if not rows:
        return ""
    count = Counter(row["verdict"] for row in rows)
    order = ("agrees", "partly", "does not", "undecided", "no data")
    summary = ", ".join(f"{count[name]} {name}" for name in order if count[name])
    said = f"Of {len(rows)} comparisons of a claim with a group of cells: {summary}."
    head = "".join(f'<th scope="col">{name}</th>' for name in ("claim", "published", "where", "found", "figure", ""))
    caption = (
        "The paper's claims. Numbers come from the tables of this study; intervals are simultaneous 95 % ones from "
        "resampled networks. Those of the exponents a and b are 97.5 % ones each, so that the two hold together at "
        "95 %; the verdict goes by their joint 95 % region, an ellipse, which is not the box of the two. "
        "“@” names a regime of the study; its parameters stand under Configuration."
    )
    body = "".join(map(_claim, rows))
    return section(
        "The paper's claims, and what this study finds",
        "reproduction",
        paragraph(said),
        f'<div class="scroll" tabindex="0" role="region" aria-label="claims"><table class="words">'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>",
    )


def claims_of(found: pa.Table, figure: str) -> list[str]:
    """The published claims that a figure shows, each with the verdict."""
    rows = [row for row in found.to_pylist() if row["figure"] == figure]
    return [
        f"The paper: {row['claim']} ({row['published']}). {row['where']}: {row['verdict']}; {row['found']}."
        for row in rows
    ]


def table1(found: pa.Table) -> str:
    """Table 1: published values, and those of this study, beside chance."""
    rows = found.to_pylist()
    if not rows:
        return ""
    own = [row for row in rows if row["source"] != "published"]
    published = [row for row in rows if row["source"] == "published"]
    said = [
        f"{row['dataset']}, {row['model']}: a random list of k users reaches the five published values among "
        f"{', '.join(text(row[f'random_n@{k}']) for k in KS)} users."
        for row in published
    ]
    missing = "This study measures no MAP@k on real data." if not own else ""
    return section(
        "Table 1: MAP@k on real data",
        "table1",
        _numbers(
            published,
            "random_n",
            "The paper's values, per cent; beside each the number of users among which chance gives it.",
        ),
        bullets(said),
        _numbers(own, "chance", "This study, per cent; beside each the exact expectation of a random ranking.")
        if own
        else paragraph(missing),
    )


def references() -> str:
    """What to cite."""
    return section("To cite", "cite", f"<pre>{escape(BIBTEX)}</pre>")


def absent(left_out: Mapping[str, str]) -> str:
    """Optional data sets that the study is without."""
    return bullets((f"{name}: left out, as there is no file {file}." for name, file in left_out.items()), "warn")


def _claim(row: Mapping[str, Any]) -> str:
    link = f'<a href="#{escape(row["figure"])}">{escape(row["figure"])}</a>' if row["figure"] else "–"
    cells = "".join(f"<td>{escape(row[name])}</td>" for name in ("claim", "published", "where", "found"))
    return f"<tr>{cells}<td>{link}</td><td><b>{escape(row['verdict'])}</b></td></tr>"


def _numbers(rows: list[dict[str, Any]], beside: str, caption: str) -> str:
    columns = ["data set", "model", "L", *(name for k in KS for name in (f"@{k}", beside.replace("_n", " among")))]
    values = (
        [row["dataset"], row["model"], row["length"], *(row[f"{kind}@{k}"] for k in KS for kind in ("map", beside))]
        for row in rows
    )
    return table(columns, values, caption)
