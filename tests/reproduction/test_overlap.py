import numpy as np
import pytest

from cascurve.reproduction.overlap import Sample, offsets


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
    (found,) = offsets(samples(ratio), rng())
    assert found.verdict == verdict
    assert np.exp(found.value) == pytest.approx(1 / ratio, rel=0.05)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -np.log(ratio) < found.high


def test_noise_leaves_it_undecided_and_few_networks_give_no_interval() -> None:
    assert offsets(samples(1.0, spread=0.6), rng())[0].verdict == "undecided"
    (few,) = offsets(samples(1.0, networks=5), rng())
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
    assert offsets([a, b], rng())[0].value == pytest.approx(expected)


def test_difficulties_that_do_not_overlap_are_not_compared() -> None:
    a, b = samples(1.0)
    assert offsets([a, Sample("lt", b.x + 2, b.y, b.network)], rng()) == []
