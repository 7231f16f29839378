"""Do two sets of cells lie on one curve? The offset in log SMAP between them at equal difficulty, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.curves.resampling import max_t_band, network_weights, regress

Floats = NDArray[np.float64]
MARGIN = 0.1
"""Curves that are established to be no more than this share apart count as one."""

_PARAMETERS = 4  # a quadratic in difficulty and the offset


@dataclass(frozen=True)
class Sample:
    """Cells of one kind.

    Attributes
    ----------
    name : of the kind, such as a mechanism.
    x, y : shape (n,): difficulty and SMAP, finite; y above 0.
    network : shape (n,): names of the networks, equal where two samples share one.
    """

    name: str
    x: Floats
    y: Floats
    network: NDArray[np.str_]


@dataclass(frozen=True)
class Offset:
    """Mean log(SMAP of `a` / SMAP of `b`) at equal difficulty; `low` and `high` are None with too few networks."""

    a: str
    b: str
    value: float
    low: float | None
    high: float | None

    @property
    def verdict(self) -> str:
        """ "one curve", "two curves", "undecided" or "too few networks"."""
        if self.low is None or self.high is None:
            return "too few networks"
        reach = float(np.log1p(MARGIN))
        if max(-self.low, self.high) <= reach:
            return "one curve"
        return "two curves" if self.low > 0 or self.high < 0 else "undecided"

    def words(self) -> str:
        """The offset as a ratio with its interval."""
        ratio = f"{self.a} / {self.b} = {np.exp(self.value):.2f}"
        if self.low is None or self.high is None:
            return f"{ratio} (too few networks for an interval)"
        return f"{ratio} [{np.exp(self.low):.2f}, {np.exp(self.high):.2f}]"


@dataclass(frozen=True)
class LeftOut:
    """A pair of samples that cannot be compared, and why."""

    a: str
    b: str
    why: str


def offsets(
    samples: Sequence[Sample], rng: np.random.Generator, resamples: int = 1000
) -> tuple[list[Offset], list[LeftOut]]:
    """The offset of every pair of samples, over the difficulties that both have; and the pairs that have too few.

    log SMAP = quadratic(x) + offset; whole networks are resampled, and the 95 % intervals hold for all pairs at once.
    """
    pairs = [(a, b) for k, a in enumerate(samples) for b in samples[k + 1 :]]
    names, codes = np.unique(np.concatenate([item.network for item in samples]), return_inverse=True)
    starts = np.cumsum([0, *(len(item.x) for item in samples)])
    code_of = {item.name: codes[start : start + len(item.x)] for item, start in zip(samples, starts, strict=False)}
    weights = network_weights(len(names), resamples, rng)
    found, left_out = [], []
    for a, b in pairs:
        made = _offset(a, b, code_of[a.name], code_of[b.name], weights)
        if isinstance(made, str):
            left_out.append(LeftOut(a.name, b.name, made))
        else:
            found.append((a.name, b.name, *made))
    if not found:
        return [], left_out
    estimate = np.array([item[2] for item in found])
    draws = np.stack([item[3] for item in found], axis=1)
    band = max_t_band(estimate, draws, np.array([item[4] for item in found]), n_parameters=_PARAMETERS)
    made_of = zip(found, estimate, band.low, band.high, strict=True)
    return [Offset(a, b, float(value), _known(low), _known(high)) for (a, b, *_), value, low, high in made_of], left_out


def _offset(
    a: Sample, b: Sample, code_a: NDArray[np.int64], code_b: NDArray[np.int64], weights: Floats
) -> tuple[float, Floats, int] | str:
    """Estimate, its resamples, and the number of networks; or why there are none."""
    if not (len(a.x) and len(b.x)):
        return f"{(b if len(a.x) else a).name} has no cells"
    low, high = max(a.x.min(), b.x.min()), min(a.x.max(), b.x.max())
    x, y = np.concatenate([a.x, b.x]), np.log(np.concatenate([a.y, b.y]))
    first = np.arange(len(x)) < len(a.x)
    inside = (x >= low) & (x <= high)
    if low > high:
        return "no common range"
    if min((inside & first).sum(), (inside & ~first).sum()) < _PARAMETERS:
        return f"fewer than {_PARAMETERS} cells of one in the common range"
    unit = 2 * (x[inside] - low) / (high - low or 1.0) - 1
    design = np.column_stack([first[inside] - 0.5, np.ones_like(unit), unit, unit**2])
    if np.linalg.matrix_rank(design) < _PARAMETERS:
        return "too few values in the common range"
    network = np.concatenate([code_a, code_b])[inside]
    coefficients, draws, _ = regress(design, y[inside], network, weights)
    return float(coefficients[0]), draws[:, 0], len(np.unique(network))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
