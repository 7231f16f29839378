"""Accuracy against another quality of the same predictions: which models nobody beats in both."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves.cells import Cells, cells
from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, network_weights

Floats = NDArray[np.float64]

LOWER = ("average_popularity", "gini")
"""Qualities of which less is better, by the part of the column's name before ``@``."""


@dataclass(frozen=True)
class Tradeoff:
    """Two qualities of the models of a group, each a mean over the cells that have both for all models.

    Attributes
    ----------
    accuracy, quality : shape (models,).
    accuracy_band, quality_band : shape (2, models), simultaneous intervals over the models; NaN with fewer than 5
        networks.
    front : shape (models,), whether no other model is at least as good in both, and better in one.
    stability : shape (models,), share of resamples of whole networks in which the model is on the front; NaN with
        fewer than 5 networks.
    n_cells, left_out : cells that count, and those that do not.
    """

    group: str
    models: tuple[str, ...]
    accuracy: Floats
    quality: Floats
    accuracy_band: Floats
    quality_band: Floats
    front: NDArray[np.bool_]
    stability: Floats
    n_cells: int
    n_networks: int
    left_out: int

    def words(self, column: str) -> str:
        """The front in a sentence."""
        order = [i for i in np.argsort(-self.accuracy) if self.front[i]]
        names = [
            self.models[i] + (f" ({self.stability[i]:.0%} of resamples)" if np.isfinite(self.stability[i]) else "")
            for i in order
        ]
        less = "less" if column.partition("@")[0] in LOWER else "more"
        least = f"the others are beaten by one that is as accurate and has {less} {column}"
        rest = f"; {least}" if len(names) < len(self.models) else ""
        left = f" ({self.left_out} cells without a finite value for every model are left out)" if self.left_out else ""
        return f"{self.group}: on the front of accuracy and {column} are {', '.join(names)}{rest}{left}."


def with_score(points: pa.Table, column: str) -> pa.Table:
    """The points with another column (and its ``_se``) in place of MAP and SMAP, for what works on `Cells`."""
    error = f"{column}_se"
    missing = pa.nulls(len(points), pa.float64())
    for name, values in (
        ("map", points[column]),
        ("smap", points[column]),
        ("map_se", points[error] if error in points.column_names else missing),
    ):
        kept = [other for other in points.column_names if other != name]
        points = points.select(kept).append_column(name, values)
    return points


def dominant(accuracy: Floats, quality: Floats) -> NDArray[np.bool_]:
    """Whether each model is on the Pareto front; shapes (…, models), more is better."""
    a, q = accuracy[..., None, :], quality[..., None, :]  # of the rivals, along the last axis
    own_a, own_q = accuracy[..., None], quality[..., None]
    beaten = (a >= own_a) & (q >= own_q) & ((a > own_a) | (q > own_q))
    return np.asarray(~beaten.any(axis=-1))


def tradeoff(points: pa.Table, group: str, column: str, *, x: str, seed: int, resamples: int = 2000) -> Tradeoff | None:
    """SMAP against a column of the points; None where no cell has both for all models.

    Parameters
    ----------
    points : kind "novelty_points".
    x : a difficulty column, which only has to exist.
    """
    scored = cells(points, group, x)
    other = cells(with_score(points, column), group, x)
    known = (np.isfinite(scored.smap) & np.isfinite(other.smap)).all(axis=1)
    if not known.any():
        return None
    sign = -1.0 if column.partition("@")[0] in LOWER else 1.0
    rng = seeding.generator(seed, "tradeoff", group=group, column=column)
    weights = network_weights(len(scored.networks), resamples, rng)[:, scored.network[known]]
    means, draws, bands = [], [], []
    n_networks = len(np.unique(scored.network[known]))
    for values in (scored.smap[known], other.smap[known]):
        means.append(values.mean(axis=0))
        draws.append(_resampled(values, weights))
        band = max_t_band(means[-1], draws[-1], np.full(len(means[-1]), n_networks))
        bands.append(np.stack([band.low, band.high]))
    stable = dominant(draws[0], sign * draws[1])[np.isfinite(draws[0]).all(axis=1)].mean(axis=0)
    return Tradeoff(
        group=group,
        models=scored.models,
        accuracy=means[0],
        quality=means[1],
        accuracy_band=bands[0],
        quality_band=bands[1],
        front=dominant(means[0], sign * means[1]),
        stability=stable if n_networks >= FEWEST_NETWORKS else np.full(len(stable), np.nan),
        n_cells=int(known.sum()),
        n_networks=n_networks,
        left_out=int((~known & _any(scored)).sum()),
    )


def _resampled(values: Floats, weights: Floats) -> Floats:
    """Weighted means, shape (resamples, models); NaN for a resample without any of the cells."""
    total = weights.sum(axis=1, keepdims=True)
    return np.where(total > 0, weights @ values / np.maximum(total, 1.0), np.nan)


def _any(scored: Cells) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(scored.smap).any(axis=1))
