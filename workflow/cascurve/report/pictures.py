"""A Matplotlib SVG made part of the page: no foreign ids, no fixed size, colours that follow dark mode."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from cascurve.report.html import bullets

DARK_PAPER = "#15181c"
_CONTRAST = 3.0  # WCAG 2.1, 1.4.11, for graphics


@dataclass(frozen=True)
class Picture:
    """One figure of the report.

    Attributes
    ----------
    name : the figure's module; also its anchor.
    title : one line.
    svg : the text of the SVG file.
    alt : what the figure shows, in words; it stands under the figure for all readers.
    notes : further sentences under it.
    """

    name: str
    title: str
    svg: str
    alt: str
    notes: tuple[str, ...] = ()

    def html(self) -> str:
        """The figure with its caption."""
        return (
            f'<figure id="{self.name}"><div class="scroll" tabindex="0">{_inline(self)}</div>'
            f'<figcaption><b>{escape(self.title)}</b><span id="{self.name}-alt">{escape(self.alt)}</span>'
            f"{bullets(self.notes)}</figcaption>"
            "</figure>"
        )


def dark_colours(pictures: Iterable[Picture]) -> str:
    """CSS declarations of the pictures' colours for dark mode: lightened until they stand off the paper."""
    used = sorted({colour for picture in pictures for colour in _COLOUR.findall(_body(picture.svg))})
    return "".join(f"--c{colour}:{lightened('#' + colour, DARK_PAPER)};" for colour in used)


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio of two colours ``#rrggbb``."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lightened(colour: str, paper: str) -> str:
    """`colour` mixed with white until its contrast on `paper` is 3:1; white becomes the paper, black near-white."""
    if colour == "#ffffff":
        return paper
    if colour == "#000000":
        return "#e8e8e8"
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    for step in range(21):
        mixed = "#" + "".join(f"{round(c + (255 - c) * step / 20):02x}" for c in channels)
        if contrast(mixed, paper) >= _CONTRAST:
            return mixed
    return "#ffffff"


_COLOUR = re.compile(r"#([0-9a-f]{6})\b")


def _body(svg: str) -> str:
    """The svg element without prologue and metadata."""
    return re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)


def _inline(picture: Picture) -> str:
    body, name = _body(picture.svg), picture.name
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'href="#', f'href="#{name}-', body)
    body = re.sub(r"url\(#", f"url(#{name}-", body)
    body = _COLOUR.sub(r"var(--c\1,#\1)", body)
    opening, rest = body.split(">", 1)
    width = re.search(r'width="([\d.]+)pt"', opening)
    opening = re.sub(r' (?:width|height)="[^"]*"', "", opening)
    points = float(width[1]) if width else 400.0
    limit = f' style="max-width:{points * 1.9:.0f}px;min-width:{points:.0f}px"'  # text stays readable on a phone
    return f'{opening} role="img" aria-labelledby="{name}-alt"{limit}>{rest}'


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
