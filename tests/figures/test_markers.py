"""Every point of every figure stands off the paper: WCAG 2.1, 1.4.11, asks 3:1 of graphics."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from tests.figures.test_figures import FIGURES, PAPER
from tests.figures.test_style import KNOWN, OTHERS

from cascurve import plugins
from cascurve.curves.fitting import fit_points
from cascurve.figures.markers import draw_points, key_look
from cascurve.figures.style import looks, mechanism_look
from cascurve.report.pictures import contrast

MODELS = [*KNOWN, *OTHERS]
MECHANISMS = ["ic", "lt", "si", "er", "ba", "dense"]
FITS = fit_points(PAPER, xs=("apce",))


def weakest(figure: Figure) -> float:
    """The least contrast of a marker's edge, as it lies on white."""
    edges = [
        edge
        for axes in figure.axes
        for points in axes.collections
        if isinstance(points, PathCollection)
        for edge in points.get_edgecolors()
    ]
    assert edges
    return min(contrast(to_hex(edge[:3] * edge[3] + 1 - edge[3]), "#ffffff") for edge in edges)


def test_the_whole_palette_stands_off_white_as_it_is_drawn() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    used = [(look.colour, look.marker) for look in looks(MODELS).values()]
    used += [mechanism_look(name, MECHANISMS) for name in MECHANISMS]
    for colour, marker in used:
        draw_points(axes, [1.0], [1.0], colour=colour, marker=marker)
        assert key_look(colour)["markeredgecolor"] == colour
    assert len(axes.collections) == len(used)
    assert weakest(figure) >= 3
    draw_points(axes, [1.0], [1.0], colour=(0.0, 0.0, 0.0, 0.2))
    assert weakest(figure) < 3


@pytest.mark.parametrize(
    "name", [name for name in FIGURES if name.startswith("fig") or name in ("curves", "residuals", "collapse")]
)
def test_every_point_of_a_figure_stands_off_white(name: str) -> None:
    assert weakest(plugins.load("figures", name).draw(PAPER, FITS)) >= 3


def test_points_that_lie_on_one_another_grow_darker_inside() -> None:
    axes = Figure().add_subplot()
    draw_points(axes, [1.0, 1.0], [1.0, 1.0], colour="#0072b2")
    (points,) = axes.collections
    assert 0 < np.asarray(points.get_facecolor())[0, 3] < 0.5
