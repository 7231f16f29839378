"""Legends lie where no point is, labels are whole, and what a figure leaves out is said."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from tests.points_maker import make_points

from cascurve.curves.bands import bands
from cascurve.curves.cells import cells
from cascurve.curves.comparison import compare_all
from cascurve.curves.fitting import fit_points
from cascurve.figures import bands as bands_figure
from cascurve.figures import collapse, curves, difference, fig2a, fig2b, fig3, fig4, figa1, figa3, residuals, topology
from cascurve.figures.style import new_figure, preset, save
from cascurve.stages import figure as stage

POINTS = make_points(groups=("er", "ba"), empirical=("android",), degrees=(4, 6, 8), mechanisms=("ic", "lt", "si"))
FITS = fit_points(POINTS, xs=("apce",))
BANDS = bands(POINTS, seed=1, xs=("apce",), resamples=100)
X = "apce_bayes"  # the longest label


def laid_out(figure: Figure) -> Figure:
    save(figure, "unused", kinds=())
    return figure


@pytest.mark.parametrize("module", [fig2a, fig2b, figa1, collapse])
def test_the_legend_of_sizes_and_lengths_lies_outside_the_axes_and_is_complete(module) -> None:  # type: ignore[no-untyped-def]
    figure = laid_out(module.draw(POINTS, FITS))
    legends = [(axes, axes.get_legend()) for axes in figure.axes if axes.get_legend()]
    assert legends
    er = POINTS.filter(pc.field("group") == "er")
    sizes, lengths = (pc.unique(er.column(name)).to_pylist() for name in ("n", "length"))
    assert max(len(sizes), len(lengths)) <= 5
    values = {f"N = {size}" for size in sizes} | {f"L = {length}" for length in lengths}
    for axes, legend in legends:
        box = legend.get_window_extent()
        assert box.x0 >= axes.get_window_extent().x1 - 1
        assert figure.bbox.containsx(box.x1)
        assert {text.get_text() for text in legend.get_texts()} == values


@pytest.mark.parametrize("style", ["plain", "nature", "slides"])
def test_no_label_of_an_axis_is_cut(style: str) -> None:
    with preset(style):
        figure = laid_out(collapse.draw(POINTS, FITS, x=X))
        for axes in figure.axes:
            for label in (axes.xaxis.label, axes.yaxis.label):
                box = label.get_window_extent()
                assert box.x0 >= 0
                assert box.x1 <= figure.bbox.x1


def test_a_label_that_fits_stays_in_one_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    figure, (axes,) = new_figure(1)
    axes.set(xlabel="short", ylabel="a label of an axis that is much, much too long for the height of its panel")
    save(figure, tmp_path / "a", kinds=("png",))
    assert axes.get_xlabel() == "short"
    assert axes.get_ylabel().count("\n") == 1


def test_fitted_exponents_are_raised() -> None:
    figure = collapse.draw(POINTS, FITS)
    c = figure.axes[2]
    assert "^" not in c.get_title(loc="left")
    assert c.get_ylabel().count("$") == 4
    assert "^" not in collapse.alt_text(POINTS, FITS)
    assert "N to the power" in collapse.alt_text(POINTS, FITS)


def test_figa3_without_data_keeps_the_papers_panels() -> None:
    chosen = {"datasets": ("twitter", "digg", "douban")}
    figure, words = stage.run({"module": "figa3", "parameters": chosen}, POINTS, FITS, {})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a  twitter", "b  digg", "c  douban"]
    assert all("no data" in axes.texts[0].get_text() for axes in figure.axes)
    assert words == figa3.alt_text(POINTS, FITS, **chosen)  # type: ignore[arg-type]
    assert "b, digg: no data: no data set 'digg' in this study" in words


def with_band(model: str, low: np.ndarray) -> pa.Table:
    """The bands, with another lower end of a model's band on ER."""
    rows = BANDS.to_pylist()
    own = [row for row in rows if (row["group"], row["model"]) == ("er", model)]
    for row, value in zip(own, low, strict=True):
        row["low"] = value
    return pa.Table.from_pylist(rows, BANDS.schema)


def test_a_curve_that_is_not_determined_is_told_in_words() -> None:
    low = np.full(61, 0.5)
    low[:10] = -2560.0
    table = with_band("cdk", low)
    said = bands_figure.alt_text(POINTS, FITS, table)
    assert "2.56e+03" not in said
    assert "cdk is not determined at" in said
    er = bands_figure.draw(POINTS, FITS, table).axes[0]
    assert any("cdk: not determined\nfrom" in text.get_text() for text in er.texts)
    assert "cdk is not determined (" in bands_figure.alt_text(POINTS, FITS, with_band("cdk", np.full(61, -1.0)))


def test_what_bands_leave_out_has_its_reason() -> None:
    table = BANDS.filter(~((pc.field("group") == "er") & (pc.field("model") == "pae")))
    rows = [
        row | ({"smap": None, "map": None, "status": "failed"} if (row["group"], row["model"]) == ("er", "pae") else {})
        for row in POINTS.to_pylist()
    ]
    points = pa.Table.from_pylist(rows, POINTS.schema)
    said = bands_figure.alt_text(points, FITS, table)
    assert "pae has no curve (no results)" in said
    assert "android has no panel: a band needs 7 networks, and there is 1" in said
    figure = bands_figure.draw(points, FITS, table)
    assert any("pae: no curve" in text.get_text() for text in figure.axes[0].texts)
    (legend,) = figure.legends
    assert "chance (exact)" in [text.get_text() for text in legend.get_texts()]


def test_names_of_curves_end_before_the_next_panel_begins() -> None:
    figure = laid_out(bands_figure.draw(POINTS, FITS, BANDS))
    for left, right in pairwise(figure.axes):
        names = [text for text in left.texts if text.get_text() in ("cdk", "pae")]
        assert names
        assert max(name.get_window_extent().x1 for name in names) + 8 < right.yaxis.label.get_window_extent().x0


@pytest.mark.parametrize("style", ["plain", "nature", "slides"])
@pytest.mark.parametrize("module", [curves, fig3, fig4, topology, residuals])
def test_the_key_lies_below_all_panels_and_names_each_model_once(module, style: str) -> None:  # type: ignore[no-untyped-def]
    tables = (POINTS, FITS, BANDS) if module is topology else (POINTS, FITS)
    options = {"models": ("cdk", "pae")} if module is fig4 else {}
    with preset(style):
        figure = laid_out(module.draw(*tables, **options))
        (legend,) = figure.legends
        names = [text.get_text() for text in legend.get_texts()]
        assert names and len(names) == len(set(names))
        top = legend.get_window_extent().y1
        assert 0 <= legend.get_window_extent().y0 < top <= min(axes.get_window_extent().y0 for axes in figure.axes)
        assert not [axes for axes in figure.axes if axes.get_legend()]


@pytest.mark.parametrize("style", ["plain", "nature", "slides"])
def test_names_at_the_ends_do_not_touch(style: str) -> None:
    with preset(style):
        for axes in laid_out(curves.draw(POINTS, FITS)).axes:
            names = [text for text in axes.texts if ", " in text.get_text()]
            assert len(names) == 3
            boxes = sorted((Text.get_window_extent(name) for name in names), key=lambda box: box.y0)  # without the line
            assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))


def test_a_model_without_a_curve_is_named_at_its_last_point() -> None:
    (axes, *_) = curves.draw(POINTS, FITS.filter(pc.field("model") != "cdk")).axes
    (name,) = [text for text in axes.texts if text.get_text().startswith("cdk")]
    assert name.get_text() == "cdk, no curve"
    x, y = cells(POINTS, "er").scores("cdk", "smap")
    assert name.xy == (x.max(), y[x.argmax()])


def test_the_bars_of_difference_have_entries_in_the_legend() -> None:
    figure = difference.draw(POINTS, FITS, compare_all(POINTS, seed=1, resamples=100))
    (legend,) = figure.legends
    entries = {text.get_text() for text in legend.get_texts()}
    assert {"cell", "mean", "simultaneous 95 % band"} <= entries
    bars = {tuple(bar.get_facecolor()) for axes in figure.axes for bar in axes.patches}
    assert bars <= {tuple(patch.get_facecolor()) for patch in legend.get_patches()}
    assert any(entry.startswith("bar: ") for entry in entries)
