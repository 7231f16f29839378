from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from cascurve.figures.style import looks, new_figure, save
from cascurve.report.pictures import contrast

KNOWN = ("cdk", "pae", "iae", "embedded_ic", "topo_lstm", "random", "popularity", "frequency", "oracle")
OTHERS = tuple(f"mine{rank}" for rank in range(8))


def figure(scale: float = 1.0):  # type: ignore[no-untyped-def]
    drawn, (axes,) = new_figure(1)
    axes.scatter([1, 2, 3], [scale, 2, 3])
    axes.set(xlabel="x", title="−1 µm")
    return drawn


def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    first, again, other = (save(figure(scale), tmp_path / f"{k}") for k, scale in enumerate((1.0, 1.0, 1.5)))
    assert [path.suffix for path in first] == [".pdf", ".svg", ".png"]
    for one, two, three in zip(first, again, other, strict=True):
        assert one.read_bytes() == two.read_bytes() != three.read_bytes()


def test_files_hold_no_dates_and_text_stays_text(tmp_path: Path) -> None:
    pdf, svg, _ = save(figure(), tmp_path / "a")
    assert b"CreationDate" not in pdf.read_bytes()
    assert b"/Type3" not in pdf.read_bytes().replace(b" ", b"")
    assert b"dc:date" not in svg.read_bytes()
    assert "−1 µm</text>" in svg.read_text()


@pytest.mark.parametrize("name", [*KNOWN, *OTHERS])
def test_colours_stand_off_white(name: str) -> None:
    assert contrast(looks([*KNOWN, *OTHERS])[name].colour, "#ffffff") >= 3


def test_no_two_models_look_alike_in_colour_and_marker() -> None:
    found = looks([*KNOWN, *OTHERS])
    for one, two in combinations(found, 2):
        assert (found[one].colour, found[one].marker) != (found[two].colour, found[two].marker)
        assert (found[one].marker, str(found[one].dash)) != (found[two].marker, str(found[two].dash)) or one in OTHERS


def test_the_five_models_of_the_paper_stay_apart_without_colour_vision() -> None:
    """Simulated protanopia, deuteranopia and tritanopia (Machado 2009, severity 1), in linear RGB."""
    matrices = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ]
    colours = [looks(KNOWN)[name].colour for name in KNOWN[:5]]
    linear = [(np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) / 255) ** 2.2 for c in colours]
    for matrix in matrices:
        seen = [np.clip(np.array(matrix) @ colour, 0, 1) ** (1 / 2.2) for colour in linear]
        assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 0.1


def test_a_known_model_looks_the_same_in_every_study() -> None:
    assert looks(["cdk"])["cdk"] == looks(["mine", "pae", "cdk"])["cdk"]
    assert looks(["b", "a"]) == looks(["a", "b"])
