"""Stage: a study's tables for people: CSV for all, LaTeX for those short enough to print."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from cascurve.report.latex import tabular
from cascurve.storage import read_table, write_text

PRINTED = {
    "fits": ("group", "model", "x", "y", "y0", "amplitude", "rate", "r2", "rmse", "n_points"),
    "nulls": ("group", "model", "x", "r2", "r2_permuted", "r2_map", "r2_random", "within_correlation"),
    "reproduction": ("claim", "published", "where", "found", "verdict"),
    "table1": (),
}
"""Tables that are also written in LaTeX, and the columns that are printed; () for all."""

CAPTIONS = {
    "fits": "Fitted curves $y = y_0 + A e^{-Bx}$, replicates averaged first.",
    "nulls": "What each $R^2$ is worth: its value after permuting SMAP within groups of equal $N$ and $L$, of unscaled "
    "MAP, and of a random ranking; and the correlation of difficulty and log SMAP within those groups.",
    "reproduction": "The claims of arXiv 2309.09537, held against this study.",
    "table1": "MAP@$k$ in per cent; chance: the exact level of a random ranking, for rows of this study; "
    "random\\_n: for published rows, the number of users among which a random list would reach the value.",
}


def run(files: Iterable[str], folder: Path) -> None:
    """Write ``<table>.csv`` and, for `PRINTED`, ``<table>.tex`` of every Parquet table into `folder`."""
    for file in files:
        kind = Path(file).stem
        table, _ = read_table(file, kind)
        write_text(_csv(table), folder / f"{kind}.csv")
        if kind in PRINTED:
            names = PRINTED[kind] or tuple(table.column_names)
            rows = ([row[name] for name in names] for row in table.to_pylist())
            write_text(tabular(names, rows, CAPTIONS[kind], f"tab:{kind}"), folder / f"{kind}.tex")


def _csv(table: pa.Table) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.column_names)
    writer.writerows(_rows(table))
    return out.getvalue()


def _rows(table: pa.Table) -> Iterator[list[object]]:
    for row in table.to_pylist():
        yield list(row.values())
