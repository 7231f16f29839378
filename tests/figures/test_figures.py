from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.points_maker import MODELS, make_novelty, make_points

from cascurve import plugins
from cascurve.curves.bands import bands
from cascurve.curves.comparison import compare_all
from cascurve.curves.fitting import fit_points
from cascurve.errors import CellError
from cascurve.figures import curves, difference, fig2a, fig2b, figa3
from cascurve.figures.style import save

POINTS = make_points(groups=("er", "ba"), empirical=("android",), degrees=(4, 6, 8))
FITS = fit_points(POINTS)
PAPER = make_points(
    models=MODELS | {name: MODELS["cdk"] for name in ("iae", "embedded_ic", "topo_lstm")},
    groups=("er", "ba"),
    empirical=("twitter", "douban"),
    degrees=(4, 6, 8),
    mechanisms=("ic", "lt", "si"),
)
FIGURES = plugins.names("figures")


def extras(module: ModuleType, points: pa.Table) -> list[Any]:
    """What a figure needs besides points and fits."""
    made = {
        "bands": lambda: bands(points, seed=1, xs=("apce",), resamples=100),
        "novelty": lambda: make_novelty(points),
        "comparisons": lambda: compare_all(points, seed=1, resamples=100),
        "costs": lambda: costs(points),
    }
    return [made[name]() for name in getattr(module, "NEEDS", ())]


def costs(points: pa.Table) -> pa.Table:
    """A fit per point that has a result."""
    rows = points.filter(pc.field("status") == "ok")
    return pa.table({"model": rows.column("model"), "seconds": rows.column("map")})


@pytest.mark.parametrize("name", ["fig2b", "curves", "bands", "difference", "novelty_tradeoff", "novelty_difficulty"])
def test_a_figure_drawn_twice_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    module = plugins.load("figures", name)
    more = extras(module, POINTS)
    written = [save(module.draw(POINTS, FITS, *more), tmp_path / stem) for stem in ("a", "b")]
    for one, two in zip(*written, strict=True):
        assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_a_title_and_words_from_the_numbers(name: str) -> None:
    module = plugins.load("figures", name)
    words = module.alt_text(PAPER, fit_points(PAPER), *extras(module, PAPER))
    assert module.TITLE
    assert len(words) > 40
    assert "nan" not in words
    other = make_points(7, groups=("er", "ba"), empirical=("android",), degrees=(4, 6, 8))
    assert words != module.alt_text(other, fit_points(other), *extras(module, other))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_without_data_says_what_is_missing(name: str) -> None:
    module = plugins.load("figures", name)
    rows = [row | {"status": "failed", "map": None, "smap": None} for row in POINTS.to_pylist()]
    points = pa.Table.from_pylist(rows)
    with pytest.raises(CellError, match="no "):
        module.draw(points, FITS, *extras(module, points))


@pytest.mark.parametrize("module", [fig2a, fig2b, figa3, curves])
def test_a_missing_difficulty_column_is_named(module: ModuleType) -> None:
    with pytest.raises(CellError, match="no difficulty column 'apce'"):
        module.draw(POINTS.drop(["apce"]), FITS)


def test_missing_models_groups_and_mechanisms_are_named() -> None:
    with pytest.raises(CellError, match="no points of model 'iae'"):
        fig2a.draw(POINTS, FITS, model="iae")
    with pytest.raises(CellError, match="no points on simulated android"):
        fig2b.draw(POINTS, FITS, group="android")
    with pytest.raises(CellError, match="mechanism 'lt'"):
        fig2a.draw(POINTS, FITS, mechanism="lt")
    with pytest.raises(CellError, match="no results on real data"):
        figa3.draw(make_points(), FITS)
    with pytest.raises(CellError, match="no points on simulated networks"):
        fig2a.draw(make_points(groups=(), empirical=("android",)), FITS)


def test_fig2a_shows_every_cell_of_the_first_group() -> None:
    (axes,) = fig2a.draw(POINTS, FITS).axes
    shown = np.concatenate([np.asarray(scatter.get_offsets()) for scatter in axes.collections])
    er = POINTS.filter((pc.field("group") == "er") & (pc.field("model") == "cdk"))
    assert len(shown) == len(er) / 2  # two replicates
    first = er.slice(0, 1).to_pylist()[0]
    same = er.filter((pc.field("network") == first["network"]) & (pc.field("length") == first["length"]))
    expected = [np.mean(same.column(name)) for name in ("apce", "map")]
    assert np.isclose(shown, expected).all(axis=1).any()


def test_fig2b_writes_the_fit_of_the_points_shown() -> None:
    (axes,) = fig2b.draw(POINTS, FITS).axes
    place = {"group": "er", "model": "cdk", "x": "apce", "y": "smap"}
    row = next(row for row in FITS.to_pylist() if place.items() <= row.items())
    assert f"R² = {row['r2']:.2f}" in axes.texts[0].get_text()
    x, y = axes.lines[0].get_data()
    np.testing.assert_allclose(y, row["y0"] + row["amplitude"] * np.exp(-row["rate"] * x), rtol=1e-6)


def test_fig2b_without_an_identified_curve_says_so() -> None:
    few = POINTS.filter((pc.field("length") == 50) & (pc.field("degree") < 8))
    (axes,) = fig2b.draw(few, FITS).axes
    assert "no curve: 2 points" in axes.texts[0].get_text()
    assert "no curve (2 points" in fig2b.alt_text(few, FITS)


def test_curves_has_a_panel_per_group_and_figa3_one_per_data_set() -> None:
    assert [axes.get_title(loc="left") for axes in curves.draw(POINTS, FITS).axes] == ["er", "ba", "android"]
    assert [axes.get_title(loc="left") for axes in figa3.draw(POINTS, FITS).axes] == ["android"]


def test_difference_shows_models_before_controls_and_bands_their_curves() -> None:
    (er, ba) = difference.draw(POINTS, FITS, compare_all(POINTS, seed=1, resamples=100)).axes
    assert er.get_title(loc="left") == "er: cdk / pae"
    assert ba.get_title(loc="left") == "ba: cdk / pae"
    chosen = difference.draw(POINTS, FITS, compare_all(POINTS, seed=1, resamples=100), groups=("ba",)).axes
    assert [axes.get_title(loc="left") for axes in chosen] == ["ba: cdk / pae"]
    table = bands(POINTS, seed=1, xs=("apce",), resamples=100)
    axes = plugins.load("figures", "bands").draw(POINTS, FITS, table).axes
    assert [one.get_title(loc="left") for one in axes] == ["er", "ba"]
    assert {"cdk", "pae"} <= {line.get_label() for line in axes[0].lines}


def test_chance_is_drawn_for_every_cell() -> None:
    axes = figa3.draw(POINTS, FITS).axes[0]
    np.testing.assert_allclose(axes.collections[0].get_offsets()[:, 1], 1.2)


def test_the_difficulty_column_is_a_parameter() -> None:
    axes = curves.draw(POINTS, FITS, x="apce_bayes", scale="log").axes[0]
    assert "empirical Bayes" in axes.get_xlabel()
    assert axes.get_yscale() == "log"
