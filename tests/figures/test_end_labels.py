"""Names beside lines: in order, apart, and no further off than they must be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from cascurve.figures.end_labels import End, label_ends
from cascurve.figures.end_places import place_ends, spread


@given(st.lists(st.floats(-0.5, 1.5), max_size=12), st.floats(0.01, 0.3))
def test_labels_keep_order_distance_and_the_axes(wanted: list[float], apart: float) -> None:
    placed = spread(wanted, apart)
    order = np.argsort(np.clip(wanted, 0, 1), kind="stable")
    least = min(apart, 1 / max(len(wanted) - 1, 1))
    assert (np.diff(placed[order]) >= least - 1e-9).all()
    assert ((placed >= -1e-9) & (placed <= 1 + 1e-9)).all()


def test_labels_that_are_far_apart_stay_and_close_ones_share_the_way() -> None:
    np.testing.assert_allclose(spread([0.9, 0.1, 0.5], 0.2), [0.9, 0.1, 0.5])
    np.testing.assert_allclose(spread([0.5, 0.5], 0.2), [0.4, 0.6])
    np.testing.assert_allclose(spread([0.02, 0.0], 0.2), [0.2, 0.0])
    np.testing.assert_allclose(spread([0.3, 0.3, 0.3, 0.3], 0.9), [0, 1 / 3, 2 / 3, 1])


def test_a_name_stands_right_of_the_axes_in_the_colour_of_its_line() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    axes.set(xlim=(0, 1), ylim=(0, 10))
    label_ends(axes, [End(0.8, 2.0, "cdk", "#4a5fc1"), End(0.8, np.nan, "pae", "#555555")])
    (name,) = axes.texts
    assert (name.get_text(), name.get_color(), name.xy) == ("cdk", "#4a5fc1", (0.8, 2.0))
    place_ends(figure)
    assert name.xyann[0] > 1
    np.testing.assert_allclose(name.xyann[1], 0.2)
