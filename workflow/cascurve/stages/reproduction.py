"""Stage: the paper's claims and its Table 1, held against the study."""

from typing import Any

import pyarrow as pa

from cascurve.curves.comparison import Comparison
from cascurve.reproduction.claims import as_table, findings
from cascurve.reproduction.evidence import Evidence
from cascurve.reproduction.table1 import table1


def run(
    spec: dict[str, Any], *, points: pa.Table, nulls: pa.Table, collapse: pa.Table, comparisons: str
) -> tuple[pa.Table, pa.Table]:
    """Tables of kind "reproduction" and "table1".

    Parameters
    ----------
    spec : keys seed, x and figures (label -> module).
    comparisons : JSON lines, one comparison each.
    """
    labels: dict[str, list[str]] = {}
    for label, module in spec["figures"].items():
        labels.setdefault(module, []).append(label)
    evidence = Evidence(
        points=points,
        nulls=nulls,
        collapse=collapse,
        comparisons=[Comparison.from_json(line) for line in comparisons.splitlines()],
        x=spec["x"],
        seed=spec["seed"],
        figures=labels,
    )
    return as_table(findings(evidence)), table1(points)
