"""Tables for a paper, in LaTeX with the package booktabs."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from cascurve.report.html import text

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "–": "--", "·": r"$\cdot$", "²": "$^2$",
    "≥": r"$\geq$", "<": "$<$", ">": "$>$", "“": "``", "”": "''",
}  # fmt: skip


def tabular(columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str, label: str) -> str:
    """A floating table; numbers with 3 digits, set to the right.

    Parameters
    ----------
    columns : headings, plain text.
    caption : LaTeX, as it is.
    label : for \\ref.
    """
    body = [list(row) for row in rows]
    kinds = "".join("r" if _numeric([row[k] for row in body]) else "l" for k in range(len(columns)))
    lines = [_line(columns), *map(_line, body)]
    inner = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
    return (
        f"% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\caption{{{caption}}}\n\\label{{{label}}}\n"
        f"\\begin{{tabular}}{{{kinds}}}\n{inner}\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def escaped(words: str) -> str:
    """Plain text as LaTeX."""
    return re.sub("|".join(map(re.escape, _SPECIAL)), lambda found: _SPECIAL[found[0]], words)


def _line(values: Sequence[Any]) -> str:
    return " & ".join(escaped(text(value)) for value in values) + r" \\"


def _numeric(values: list[Any]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) for value in known)
