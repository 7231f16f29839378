"""What the figures of novelty share: which columns are shown, and the label of an axis."""

import pyarrow as pa

from cascurve.curves.cells import groups
from cascurve.errors import CellError

SHOWN = 3
LABELS = {
    "long_tail": "long-tail novelty",
    "mean_distance": "mean prediction distance",
    "unexpectedness": "unexpectedness",
    "intra_list": "intra-list diversity",
    "gini_complement": "Gini complement",
    "gini": "Gini index",
    "coverage": "coverage",
    "entropy": "entropy, bits",
    "average_popularity": "average popularity",
    "epc": "expected popularity complement",
    "efd": "expected free discovery, bits",
    "serendipity": "serendipity",
}


def columns(novelty: pa.Table, wanted: tuple[str, ...]) -> list[str]:
    """The columns to show: those wanted, or each of the first three metrics at its greatest cutoff.

    Raises `CellError` for one that the table has not.
    """
    known = [name for name in novelty.column_names if f"{name}_se" in novelty.column_names]
    known = [name for name in known if "@" in name]
    for name in wanted:
        if name not in known:
            raise CellError(f"there is no novelty column '{name}'; there are {', '.join(known)}")
    last = {name.partition("@")[0]: name for name in known}  # cutoffs ascend
    return list(wanted) or list(last.values())[:SHOWN]


def shown_groups(novelty: pa.Table, x: str) -> list[str]:
    """The groups with any result; `CellError` where there is none, or no difficulty column."""
    if x not in novelty.column_names:
        raise CellError(f"the points have no difficulty column '{x}' to draw")
    ok = novelty.filter(pa.array([status == "ok" for status in novelty.column("status").to_pylist()]))
    if not len(ok):
        raise CellError("no results to draw novelty of")
    return groups(ok)


def axis_label(column: str) -> str:
    """The words for a column."""
    label, _, k = column.partition("@")
    return f"{LABELS.get(label, label)}, first {k}"
