import re

import pytest

from cascurve.report.pictures import DARK_PAPER, Picture, contrast, dark_colours, lightened

SVG = """<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "http://www.w3.org/dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="230.4pt" height="180pt" viewBox="0 0 230.4 180" version="1.1">
<metadata>made by</metadata><defs><path id="m1" style="fill: #440154"/></defs>
<g clip-path="url(#p1)"><use xlink:href="#m1" style="stroke: #000000"/></g><clipPath id="p1"/></svg>"""


def picture(name: str = "fig") -> Picture:
    return Picture(name, "A <title>", SVG, "What it shows & says")


def test_ids_do_not_clash_between_figures() -> None:
    html = picture("one").html() + picture("two").html()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids)) == 8
    assert set(re.findall(r'xlink:href="#([^"]+)"', html)) | set(re.findall(r"url\(#([^)]+)\)", html)) <= set(ids)


def test_the_picture_is_labelled_by_its_visible_words() -> None:
    html = picture().html()
    assert 'role="img" aria-labelledby="fig-alt"' in html
    assert '<span id="fig-alt">What it shows &amp; says</span>' in html
    assert "A &lt;title&gt;" in html


def test_no_prologue_no_metadata_no_fixed_size() -> None:
    html = picture().html()
    assert "DOCTYPE" not in html
    assert "metadata" not in html
    assert "230.4pt" not in html
    assert 'viewBox="0 0 230.4 180"' in html


def test_dark_colours_cover_every_colour_and_stand_off_the_paper() -> None:
    declared = dict(re.findall(r"--c([0-9a-f]{6}):(#[0-9a-f]{6});", dark_colours([picture()])))
    assert set(declared) == {"440154", "000000"}
    assert "var(--c440154,#440154)" in picture().html()
    assert all(contrast(colour, DARK_PAPER) >= 3 for colour in declared.values())


def test_lightened_keeps_what_is_light_enough() -> None:
    assert lightened("#e69f00", DARK_PAPER) == "#e69f00"
    assert lightened("#ffffff", DARK_PAPER) == DARK_PAPER


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#0072b2", "#ffffff") == pytest.approx(5.19, abs=0.01)
    assert contrast("#ffffff", "#cc79a7") == pytest.approx(3.06, abs=0.01)
