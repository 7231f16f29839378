"""Compare models by the paired log-ratio of their MAP, cell by cell.

Both models of a pair see the same cells, so log(MAP_A / MAP_B) cancels N/L and most of the scatter: no collapse
and no curve is needed to say which one ranks better, and where.
"""

import json
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cascurve import seeding
from cascurve.curves.cells import Cells, cells, groups
from cascurve.curves.contrast import Contrast, same_data
from cascurve.curves.difference import Crossing, Difference, Region, differences
from cascurve.curves.resampling import FEWEST_NETWORKS, max_t_band, network_weights
from cascurve.errors import DataError

TERCILES = ("easy", "middle", "hard")
_TURNED = {"above": "below", "below": "above"}
"""Verdict on the first of a pair -> verdict on the second."""


@dataclass(frozen=True)
class Pair:
    """Two models of one group: overall, and by tercile of difficulty.

    Attributes
    ----------
    left_out : cells where one of the two has no result or a MAP of 0.
    same_data : for a real data set: the mean with an interval from resampled test cascades. It holds for these very
        data and says nothing about others; None for simulated groups.
    difference : over difficulty; None where there are too few networks for that.
    """

    a: str
    b: str
    overall: Contrast
    terciles: tuple[Contrast, ...]
    left_out: int
    same_data: Contrast | None
    difference: Difference | None


@dataclass(frozen=True)
class Comparison:
    """All pairs of one group.

    Attributes
    ----------
    edges : the tercile limits of difficulty, 4 values, or () where difficulty does not vary.
    level, margin : coverage of the intervals; the relative difference in MAP below which models count as equivalent.
    """

    group: str
    x: str
    level: float
    margin: float
    networks: int
    edges: tuple[float, ...]
    pairs: tuple[Pair, ...]

    def pair(self, a: str, b: str) -> Pair:
        """The pair (a, b) or (b, a), as it was compared."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise DataError(f"no pair of '{a}' and '{b}' in group '{self.group}'")

    def regions(self, a: str, b: str) -> tuple[Region, ...]:
        """Ranges of difficulty where `a` is above, below, equivalent to `b`, or undecided."""
        pair = self.pair(a, b)
        found = pair.difference.regions if pair.difference else ()
        if pair.a == a:
            return found
        return tuple(replace(region, verdict=_TURNED.get(region.verdict, region.verdict)) for region in found)

    def crossings(self, a: str, b: str) -> tuple[Crossing, ...]:
        """Established crossings; () means none established."""
        difference = self.pair(a, b).difference
        return difference.crossings if difference else ()

    def band(self, a: str, b: str, x: float) -> tuple[float, float, float] | None:
        """(mean, low, high) of log(MAP of a / MAP of b) at difficulty `x`; None outside the common difficulties."""
        pair = self.pair(a, b)
        found = pair.difference
        if found is None or not found.x[0] <= x <= found.x[-1]:
            return None
        mean, low, high = (float(np.interp(x, found.x, values)) for values in (found.mean, found.low, found.high))
        return (mean, low, high) if pair.a == a else (-mean, -high, -low)

    def unbeaten(self, third: int) -> list[str]:
        """Models that no other is established to beat in a third (0 easy, 2 hard): a confidence set for the best.

        Raises `DataError` for a number that is no third.
        """
        if third not in range(len(TERCILES)):
            raise DataError(f"expected a third of difficulty, 0 to 2 ({', '.join(TERCILES)}), found {third!r}")
        names = dict.fromkeys(name for pair in self.pairs for name in (pair.a, pair.b))
        for pair in self.pairs:
            verdict = pair.terciles[third].verdict if pair.terciles else "no cells"
            if verdict in ("above", "below"):
                names.pop(pair.b if verdict == "above" else pair.a, None)
        return list(names)

    def verdict(self) -> list[str]:
        """One sentence per pair, generated from the numbers."""
        return [self._sentence(pair) for pair in self.pairs]

    def equivalent(self, contrast: Contrast) -> bool:
        """Whether the interval of a contrast lies within the margin on both sides of "no difference"."""
        low, high = contrast.low, contrast.high
        return low is not None and high is not None and bool(max(-low, high) <= np.log1p(self.margin))

    def to_json(self) -> str:
        """The comparison as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """Inverse of `to_json`; raises `DataError` for text that it did not write."""
        try:
            raw: dict[str, Any] = json.loads(text)
            pairs = tuple(
                Pair(
                    overall=Contrast(**pair.pop("overall")),
                    terciles=tuple(Contrast(**tercile) for tercile in pair.pop("terciles")),
                    same_data=Contrast(**same) if (same := pair.pop("same_data")) else None,
                    difference=_difference(pair.pop("difference")),
                    **pair,
                )
                for pair in raw.pop("pairs")
            )
            return cls(edges=tuple(raw.pop("edges")), pairs=pairs, **raw)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            shown = text if len(text) <= 60 else f"{text[:60]}…"
            reason = f"no key {error}" if isinstance(error, KeyError) else str(error)
            remedy = "read lines of a comparisons.jsonl, or make it anew"
            raise DataError(f"expected a comparison as JSON, found {shown!r} ({reason})", remedy=remedy) from None

    def _sentence(self, pair: Pair) -> str:
        a, b, overall = pair.a, pair.b, pair.overall
        if overall.mean is None:
            return f"{self.group}: {a} and {b} have no cell in common; nothing can be said."
        if overall.mean < 0:  # speak of the one that is ahead
            a, b, overall = b, a, overall.turned()
        ratio = f"{times(overall.mean or 0.0)} times"
        cells_used, networks = _count(overall.n_cells, "cell"), _count(overall.n_networks, "network")
        if overall.low is None or overall.high is None:
            if pair.same_data is not None:
                return self._on_these_data(pair)
            few = f"too few networks to compare {a} and {b} ({networks}, at least {FEWEST_NETWORKS} needed)"
            return f"{self.group}: {few}; on average over {cells_used} the MAP of {a} is {ratio} that of {b}."
        if overall.low > 0:
            head = f"{a} ranks better than {b} on average"
        elif self.equivalent(overall):
            head = f"{a} and {b} are equivalent within {self.margin:.0%}"
        else:
            head = f"{a} and {b} are not distinguishable on average"
        interval = f"[{times(overall.low)}, {times(overall.high)}]"
        numbers = f"the MAP of {a} is {ratio} {interval} that of {b}, over {cells_used} on {networks}"
        return f"{self.group}: {head}: {numbers}{self._by_region(pair) or self._by_tercile(pair)}."

    def _on_these_data(self, pair: Pair) -> str:
        """The sentence on one real data set."""
        a, b, same = pair.a, pair.b, pair.same_data
        assert same is not None and same.mean is not None and same.low is not None and same.high is not None
        if same.mean < 0:
            return self._on_these_data(replace(pair, a=b, b=a, same_data=same.turned()))
        head = f"{a} ranks better than {b}" if same.low > 0 else f"{a} and {b} are not distinguishable"
        ratio = f"{times(same.mean)} times [{times(same.low)}, {times(same.high)}]"
        cells_used = _count(same.n_cells, "cell")
        numbers = f"the MAP of {a} is {ratio} that of {b}, over {cells_used}, test cascades resampled"
        return f"{self.group}: {head} on these data: {numbers}; one network says nothing about others."

    def _by_region(self, pair: Pair) -> str:
        """The clause on the regions of difficulty; "" where there is no band."""
        if pair.difference is None:
            return ""
        words = {"above": f"{pair.a} is ahead", "below": f"{pair.b} is ahead", "equivalent": "equivalent"}
        parts = [
            f"{words.get(region.verdict, region.verdict)} from {region.start:.2f} to {region.stop:.2f}"
            for region in pair.difference.regions
        ]
        found = [f"{c.x:.2f} [{c.low:.2f}, {c.high:.2f}]" for c in pair.difference.crossings]
        crossing = f"; they cross at {_and(found)}" if found else "; no crossing established"
        return f"; by {self.x}, " + ", ".join(parts) + crossing

    def _by_tercile(self, pair: Pair) -> str:
        """The clause on the thirds by difficulty."""
        found = {"above": f"{pair.a} is ahead", "below": f"{pair.b} is ahead", "undecided": "undecided"}
        said: dict[str, list[str]] = {}
        for label, third in zip(TERCILES, pair.terciles, strict=False):
            said.setdefault(found.get(third.verdict, third.verdict), []).append(label)
        if not said:
            return ""
        parts = [f"{what} in the {_and(labels)} third{'s' * (len(labels) > 1)}" for what, labels in said.items()]
        return f"; by {self.x}, " + ", ".join(parts)


def times(log_ratio: float) -> str:
    """How many times: 3 digits, and near 1 as many decimals, where it matters on which side of 1 a number lies."""
    ratio = float(np.exp(log_ratio))
    return f"{ratio:.3f}" if 0.9 < ratio < 1.1 else f"{ratio:.3g}"


def compare(
    points: pa.Table,
    group: str | None = None,
    *,
    paired: pa.Table | None = None,
    seed: int = 0,
    x: str = "apce",
    resamples: int = 2000,
    level: float = 0.95,
    margin: float = 0.03,
) -> Comparison:
    """Compare every pair of models of a group.

    Whole networks are resampled, with all their lengths, mechanisms and replicates and the same draw for every
    model. The overall intervals hold for all pairs at once, those of the terciles for all pairs and terciles.

    Parameters
    ----------
    points : kind "points".
    group : a curve group; None where the points have only one.
    paired : kind "paired": errors over the test cascades, for real data sets.
    seed : the study's seed.
    x : difficulty column.
    margin : relative difference in MAP that does not matter.

    Raises
    ------
    DataError : no such column or group, or several groups and none named.
    """
    if group is None:
        found = groups(points)
        if len(found) != 1:
            raise DataError(f"the points have {len(found)} groups ({', '.join(found)})", remedy="name one of them")
        group = found[0]
    chosen = cells(points, group, x)
    pairs = list(combinations(chosen.models, 2))
    ratios = np.array([chosen.log_ratio(a, b) for a, b in pairs]).reshape(len(pairs), len(chosen.network))
    edges = _edges(chosen)
    part = np.searchsorted(edges[1:-1], chosen.x) if edges else np.zeros(len(chosen.x), np.int64)
    everywhere = np.ones((1, len(chosen.x)), bool)
    thirds = (part == np.arange(3 if edges else 0)[:, None]) & np.isfinite(chosen.x)
    rng = seeding.generator(seed, "comparison", group=group)
    weights = network_weights(len(chosen.networks), resamples, rng)
    over_x = differences(chosen, pairs, weights, rng, level=level, margin=margin)
    overall = _contrasts(chosen, ratios, everywhere, weights, level)
    by_third = _contrasts(chosen, ratios, thirds, weights, level)
    same = same_data(paired, group, pairs, [contrast for (contrast,) in overall], level)
    return Comparison(
        group=group,
        x=x,
        level=level,
        margin=margin,
        networks=len(chosen.networks),
        edges=edges,
        pairs=tuple(
            Pair(a, b, overall[k][0], tuple(by_third[k]), int((~np.isfinite(ratios[k])).sum()), same[k], over_x[k])
            for k, (a, b) in enumerate(pairs)
        ),
    )


def compare_all(points: pa.Table, *, seed: int, x: str = "apce", **options: Any) -> list[Comparison]:
    """`compare` for every group of the points."""
    return [compare(points, group, seed=seed, x=x, **options) for group in groups(points)]


def _contrasts(
    chosen: Cells, ratios: NDArray[np.float64], sets: NDArray[np.bool_], weights: NDArray[np.float64], level: float
) -> list[list[Contrast]]:
    """Contrast of every pair (rows of `ratios`) on every set of cells, with one simultaneous band over all."""
    n_pairs, n_sets = len(ratios), len(sets)
    used = np.isfinite(ratios)[:, None, :] & sets[None, :, :]  # (pairs, sets, cells)
    members = (chosen.network[:, None] == np.arange(len(chosen.networks))).astype(np.float64)  # (cells, networks)
    sums = (np.where(used, ratios[:, None, :], 0.0) @ members).reshape(-1, members.shape[1])
    counts = (used.astype(np.float64) @ members).reshape(-1, members.shape[1])
    n_cells, n_networks = counts.sum(axis=1), (counts > 0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = sums.sum(axis=1) / n_cells
        draws = (weights @ sums.T) / (weights @ counts.T)
    band = max_t_band(estimate, draws, n_networks, level=level)
    flat = [
        Contrast(_known(mean), _known(low), _known(high), int(count), int(networks))
        for mean, low, high, count, networks in zip(estimate, band.low, band.high, n_cells, n_networks, strict=True)
    ]
    return [flat[k * n_sets : (k + 1) * n_sets] for k in range(n_pairs)]


def _edges(chosen: Cells) -> tuple[float, ...]:
    """Tercile limits of difficulty over the cells; () where it does not vary."""
    x = chosen.x[np.isfinite(chosen.x)]
    if len(np.unique(x)) < 3:
        return ()
    return tuple(float(edge) for edge in np.quantile(x, [0.0, 1 / 3, 2 / 3, 1.0]))


def _difference(raw: dict[str, Any] | None) -> Difference | None:
    """A difference from its JSON."""
    if raw is None:
        return None
    regions = tuple(Region(**region) for region in raw.pop("regions"))
    crossings = tuple(Crossing(**crossing) for crossing in raw.pop("crossings"))
    curves: Any = {key: tuple(raw.pop(key)) for key in ("x", "mean", "low", "high", "area")}
    return Difference(**curves, regions=regions, crossings=crossings, **raw)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _and(labels: list[str]) -> str:
    return " and ".join([", ".join(labels[:-1]), labels[-1]]) if len(labels) > 1 else labels[0]
