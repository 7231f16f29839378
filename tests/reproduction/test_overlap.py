from collections.abc import Callable

import numpy as np
import pytest

from cascurve.reproduction.overlap import Floats, LeftOut, Sample, offsets


def samples(ratio: float, seed: int = 0, networks: int = 12, spread: float = 0.03) -> list[Sample]:
    """Two kinds of cells on the same networks; the SMAP of the second is `ratio` times that of the first."""
    rng = np.random.default_rng(seed)
    made = []
    for name, factor in (("ic", 1.0), ("lt", ratio)):
        x = rng.uniform(0.2, 0.9, 4 * networks)
        y = factor * np.exp(1.0 - 2.0 * x + 0.8 * x**2 + rng.normal(0, spread, len(x)))
        made.append(Sample(name, x, y, np.array([f"n{k % networks}" for k in range(len(x))])))
    return made


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize(("ratio", "verdict"), [(1.0, "one curve"), (1.4, "two curves"), (0.7, "two curves")])
def test_a_known_offset_is_found(ratio: float, verdict: str) -> None:
    (found,), left_out = offsets(samples(ratio), rng())
    assert left_out == []
    assert found.verdict == verdict
    assert np.exp(found.value) == pytest.approx(1 / ratio, rel=0.05)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -np.log(ratio) < found.high


def test_noise_leaves_it_undecided_and_few_networks_give_no_interval() -> None:
    assert offsets(samples(1.0, spread=0.6), rng())[0][0].verdict == "undecided"
    (few,), _ = offsets(samples(1.0, networks=5), rng())
    assert few.verdict == "too few networks"
    assert "too few networks" in few.words()


def test_the_offset_is_that_of_a_plain_least_squares_fit() -> None:
    a, b = samples(1.3)
    low, high = max(a.x.min(), b.x.min()), min(a.x.max(), b.x.max())
    x, y = np.concatenate([a.x, b.x]), np.log(np.concatenate([a.y, b.y]))
    kind = np.repeat([1.0, 0.0], [len(a.x), len(b.x)])
    inside = (x >= low) & (x <= high)
    design = np.stack([kind, np.ones_like(x), x, x**2], axis=1)[inside]
    expected = np.linalg.lstsq(design, y[inside], rcond=None)[0][0]
    assert offsets([a, b], rng())[0][0].value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (lambda x: x + 2, "no common range"),
        (lambda x: np.where(np.arange(len(x)) < 3, x, x + 2), "fewer than 4 cells of one in the common range"),
        (lambda x: x[:0], "lt has no cells"),
    ],
)
def test_pairs_that_cannot_be_compared_are_told_with_the_reason(move: Callable[[Floats], Floats], why: str) -> None:
    a, b = samples(1.0)
    x = move(b.x)
    moved = Sample("lt", x, b.y[: len(x)], b.network[: len(x)])
    found, left_out = offsets([a, moved, Sample("si", a.x, 2 * a.y, a.network)], rng())
    assert [(item.a, item.b) for item in found] == [("ic", "si")]
    assert left_out == [LeftOut("ic", "lt", why), LeftOut("lt", "si", why)]


@pytest.mark.parametrize("values", [(0.5,), (0.4, 0.6)])
def test_too_few_difficulties_for_a_curve_are_not_compared(values: tuple[float, ...]) -> None:
    a, b = (Sample(item.name, np.resize(values, len(item.x)), item.y, item.network) for item in samples(1.0))
    assert offsets([a, b], rng()) == ([], [LeftOut("ic", "lt", "too few values in the common range")])
