"""The few pieces of HTML that the report is made of. Everything that is not markup is escaped here."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def text(value: Any) -> str:
    """A value as a reader wants it: 3 digits, a dash for nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}".replace("-", "−")
    if isinstance(value, list | tuple):
        return ", ".join(map(text, value))
    return str(value)


def paragraph(words: str, css: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{_css(css)}>{escape(words)}</p>"


def bullets(items: Iterable[str], css: str = "") -> str:
    """A list of plain texts; nothing for none."""
    inner = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<ul{_css(css)}>{inner}</ul>" if inner else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str) -> str:
    """A table that scrolls sideways within itself; numbers are set to the right."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def section(title: str, anchor: str, *parts: str) -> str:
    """A section under a heading that links to itself; nothing when all parts are empty."""
    inner = "".join(parts)
    if not inner:
        return ""
    return f'<section id="{anchor}"><h2><a href="#{anchor}">{escape(title)}</a></h2>{inner}</section>'


def folded(summary: str, inner: str) -> str:
    """Content that opens on a click."""
    return f"<details><summary>{escape(summary)}</summary>{inner}</details>"


def _cell(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"<td{_css('n' if number else '')}>{escape(text(value))}</td>"


def _css(name: str) -> str:
    return f' class="{name}"' if name else ""
