from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.points_maker import MODELS, make_points

from cascurve.curves.bands import bands
from cascurve.curves.cells import cells
from cascurve.curves.fitting import fit, fit_points
from cascurve.errors import CellError
from cascurve.figures import collapse, fig2c, fig3, fig4, figa1, figa2, figa3, residuals, topology
from cascurve.figures.parts import gap_figure
from cascurve.figures.style import PRESETS, SETTINGS, label_outer, new_figure, preset, save

POINTS = make_points(
    models=MODELS | {name: MODELS["cdk"] for name in ("iae", "embedded_ic")},
    groups=("er", "ba"),
    empirical=("twitter",),
    degrees=(4, 8),
    mechanisms=("ic", "si"),
)
FITS = fit_points(POINTS, xs=("apce",))


def words_on(axes) -> str:  # type: ignore[no-untyped-def]
    return " ".join(text.get_text().replace("\n", " ") for text in axes.texts)


def titles(figure) -> list[str]:  # type: ignore[no-untyped-def]
    return [axes.get_title(loc="left") for axes in figure.axes]


def key_of(figure) -> list[str]:  # type: ignore[no-untyped-def]
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_fig4_has_the_papers_four_panels_and_says_which_are_gaps() -> None:
    figure = fig4.draw(POINTS, FITS)
    assert titles(figure) == ["a  simulated", "b  twitter", "c  digg", "d  douban"]
    assert "no points of topo_lstm" in words_on(figure.axes[0])
    assert "no data no data set 'digg' in this study" in words_on(figure.axes[2])
    assert not figure.axes[2].collections
    said = fig4.alt_text(POINTS, FITS)
    assert "c, digg: no data: no data set 'digg' in this study" in said
    assert "no points of topo_lstm" in said


def test_figa3_keeps_the_papers_panels_when_asked_to() -> None:
    assert titles(figa3.draw(POINTS, FITS, datasets=("twitter", "digg", "douban"))) == [
        "a  twitter",
        "b  digg",
        "c  douban",
    ]


def test_fig2c_fits_all_mechanisms_at_once() -> None:
    (axes,) = fig2c.draw(POINTS, FITS, mechanisms=("ic", "lt", "si")).axes
    expected = fit(*cells(POINTS.filter(pc.field("model") == "cdk"), "er").scores("cdk", "smap"))
    assert f"R² = {expected.r2:.2f}" in words_on(axes)
    entries = [text.get_text() for text in axes.get_legend().get_texts()]
    assert [entry.partition(",")[0] for entry in entries] == ["ic", "si", "lt: not in the study"]
    assert "lt is not in the study" in fig2c.alt_text(POINTS, FITS, mechanisms=("ic", "lt", "si"))


def test_figa1_has_a_gap_for_the_mechanism_that_is_missing() -> None:
    figure = figa1.draw(POINTS, FITS)
    assert titles(figure) == ["a  LT, MAP", "b  LT, SMAP", "c  SI, MAP", "d  SI, SMAP"]
    assert "mechanism 'lt'" in words_on(figure.axes[0])
    assert len(figure.axes[2].collections) > 0


def test_figa2_shows_scale_free_networks_only() -> None:
    figure = figa2.draw(POINTS, FITS)
    a, b = figure.axes
    cells_of = cells(POINTS, "ba")
    assert sum(len(drawn.get_offsets()) for drawn in a.collections) == len(cells_of.x)
    assert key_of(figure) == ["cdk", "pae", "iae", "chance (exact)"]
    assert {text.get_text().partition(",")[0] for text in b.texts} == {"cdk", "pae", "iae"}


def test_fig3_shows_its_models_in_their_order() -> None:
    figure = fig3.draw(POINTS, FITS)
    assert key_of(figure) == ["cdk", "pae", "iae", "chance (exact)"]


def test_residuals_are_logs_of_the_ratio_to_the_curve() -> None:
    chosen = cells(POINTS, "er")
    x, y = chosen.scores("cdk", "smap")
    expected = sorted(pa.array(y).to_numpy() / fit(x, y)(x))
    axes = residuals.draw(POINTS, FITS).axes[0]
    import numpy as np

    drawn = np.concatenate([np.asarray(item.get_offsets())[:, 1] for item in axes.collections])
    np.testing.assert_allclose(sorted(np.exp(drawn)), expected)


def test_collapse_shows_three_scalings_of_the_same_cells() -> None:
    figure = collapse.draw(POINTS, FITS)
    assert [title[:1] for title in titles(figure)] == ["a", "b", "c"]
    assert "MAP · N / L" in titles(figure)[1]
    assert collapse.alt_text(POINTS, FITS).count("mean distance in log") == 3


def test_topology_keeps_to_one_regime() -> None:
    empty = pa.table(
        {name: pa.array([], pa.string()) for name in ("group", "model", "x")}
        | {name: pa.array([], pa.float64()) for name in ("at", "y", "low", "high")}
    )
    said = topology.alt_text(POINTS, FITS, empty)
    assert "er: " in said
    assert "ba: " in said
    with pytest.raises(CellError, match="simulated networks dense"):
        topology.draw(POINTS, FITS, empty, regime="dense")


def test_topologies_differ_in_dash_too() -> None:
    table = bands(POINTS, seed=1, xs=("apce",), resamples=100)
    (axes,) = topology.draw(POINTS, FITS, table).axes
    assert len({str(line.get_linestyle()) + str(line._dash_pattern) for line in axes.lines}) == len(axes.lines) == 2


@pytest.mark.parametrize("name", list(PRESETS))
def test_panels_are_never_too_low_to_read(name: str) -> None:
    """Whatever their number; with labels left to the outer ones, also where the last row is not full."""
    with preset(name):
        figure, axes = new_figure(23)
        for place, panel in enumerate(axes):
            panel.set(xlabel="disorder", ylabel="ratio", title=f"panel {place}")
        label_outer(axes)
        across = axes[0].get_subplotspec().get_gridspec().ncols
        assert 23 % across
        assert [place for place in range(23) if axes[place].get_xlabel()] == list(range(23 - across, 23))
        assert [place for place in range(23) if axes[place].get_ylabel()] == list(range(0, 23, across))
        save(figure, "unused", kinds=())
        lowest = min(panel.get_window_extent().height for panel in axes)
        assert lowest * 72 / figure.dpi > 2 * PRESETS[name].font


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_style_has_its_sizes_and_leaves_no_trace(name: str, tmp_path: Path) -> None:
    before = dict(SETTINGS)
    with preset(name):
        style = PRESETS[name]
        for panels, width in ((1, style.column), (4, style.page)):
            figure, axes = new_figure(panels)
            if width is not None:
                assert figure.get_figwidth() * 25.4 == pytest.approx(width)
            assert figure.get_figheight() * 25.4 <= style.tallest + 1e-9
            assert axes[0].xaxis.get_label().get_size() == style.font
        smallest = min(style.font, style.small)
        assert smallest >= 5
    assert before == SETTINGS
    if name == "nature":
        with preset(name):
            pdf, svg, _ = save(gap_figure("A title", "why it is empty"), tmp_path / "a")
        assert 'width="252' in svg.read_text()  # 89 mm in points
        assert b"/Type3" not in pdf.read_bytes().replace(b" ", b"")
