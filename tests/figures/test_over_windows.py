import numpy as np
import pyarrow as pa
import pytest

from cascurve.figures.over_windows import alt_text, over_windows

DAY = 86400.0


def drawn(slices: str, width: float, numbers: tuple[int, ...]):
    """The figure of one model whose windows have these numbers, and its description."""
    place = {"data": "d", "group": "g", "length": 10, "slices": slices}
    windows = [
        place
        | {"slice": k, "low": k * width, "up": (k + 1) * width, "weight": 1.0, "weight_sd": 0.1}
        | {"apce": 0.2, "apce_bayes": 0.4 if k else None, "apce_bayes_se": 0.1 if k else None}
        | {"apce_note": "" if k else "few pairs", "seconds": not slices.isdigit()}
        for k in numbers
    ]
    scores = [place | {"slice": k, "metric": "MAP", "model": "m", "uniform": 0.3, "chance": 0.1} for k in numbers]
    nothing = pa.table({"group": pa.array([], pa.string()), "reason": pa.array([], pa.string())})
    tables = pa.Table.from_pylist(windows), pa.Table.from_pylist(scores), nothing
    return over_windows(*tables, group="g"), alt_text(*tables, group="g")


@pytest.mark.parametrize(
    ("slices", "width", "last", "words"),
    [
        ("week", 7 * DAY, 21.0, "in days"),
        ("36h", 1.5 * DAY, 4.5, "in days"),
        ("auto", 2 * DAY, 6.0, "in days"),
        ("30min", 1800.0, 90.0, "in minutes"),
        ("4", 2.5, 7.5, "in the unit of the data"),
        ("4", 1e7, 3.0, "in $10^{7}$ units of the data"),
    ],
)
def test_the_time_axis_has_a_unit_with_short_numbers(slices, width, last, words) -> None:
    axes = drawn(slices, width, (0, 1, 2, 3))[0].axes[0]
    assert axes.get_xlabel() == f"time since the first window, {words}"
    assert axes.lines[0].get_xdata()[-1] == pytest.approx(last)


def test_no_line_crosses_windows_without_an_infection() -> None:
    y = drawn("9", 1.0, (0, 1, 4, 5))[0].axes[0].lines[0].get_ydata()
    assert np.isnan(y).tolist() == [False, False, True, False, False]


def test_an_unknown_difficulty_is_a_gap_and_told() -> None:
    figure, words = drawn("auto", 2 * DAY, (0, 1, 2))
    drawn_at = figure.axes[2].containers[0].lines[0].get_ydata()
    assert np.isnan(drawn_at).tolist() == [True, False, False]
    assert any("gap: too few pairs" in text.get_text() for text in figure.legends[0].get_texts())
    assert "1 of 3 windows have none, where few pairs" in words
    assert "windows of 2 days, 3 of them with an infection" in words
