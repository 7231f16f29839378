"""The results of a study, asked by what the paper's claims are about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cascurve.curves.cells import Cells, cells, groups, is_synthetic
from cascurve.curves.comparison import Comparison, Pair
from cascurve.curves.nulls import nulls
from cascurve.reproduction.overlap import Sample

MECHANISMS = ("ic", "lt", "si")
"""The paper's, by their labels in a study."""


@dataclass(frozen=True)
class Evidence:
    """Tables of a study.

    Attributes
    ----------
    x : the study's difficulty; the paper's, ``apce``, stands beside it.
    figures : module -> labels of the figures that the study draws with it.
    """

    points: pa.Table
    nulls: pa.Table
    collapse: pa.Table
    comparisons: Sequence[Comparison]
    x: str
    seed: int
    figures: Mapping[str, Sequence[str]]

    @property
    def xs(self) -> list[str]:
        """The difficulties that curves are judged by."""
        return [name for name in dict.fromkeys((self.x, "apce")) if name in self.points.column_names]

    @cached_property
    def groups(self) -> list[str]:
        """Groups of the study."""
        return groups(self.points)

    @cached_property
    def regimes(self) -> list[str]:
        """Regimes of simulated data with a mechanism of the paper's; "" is the study's own grid."""
        return self._regimes(lambda names: bool(names & set(MECHANISMS)))

    @cached_property
    def other_regimes(self) -> list[str]:
        """Regimes that compare further mechanisms, such as infection probabilities."""
        return self._regimes(lambda names: len(names) > 1 and not names & set(MECHANISMS))

    @cached_property
    def real(self) -> list[str]:
        """Real data sets."""
        return [name for name in self.groups if not is_synthetic(self.points, name)]

    def group(self, topology: str, regime: str) -> str | None:
        """The group of a topology under a regime, if the study has it."""
        name = f"{topology}@{regime}" if regime else topology
        return name if name in self.groups else None

    def null(self, group: str, model: str, x: str) -> Mapping[str, Any] | None:
        """The row of the nulls table, if it has an R²."""
        for row in self.nulls.to_pylist():
            if (row["group"], row["model"], row["x"]) == (group, model, x) and row["r2"] is not None:
                return dict(row)
        return None

    def null_under(self, mechanism: str, group: str, model: str, x: str) -> Mapping[str, Any] | None:
        """As `null`, of the cells of one mechanism only."""
        place = {"group": group, "mechanism": mechanism, "model": model}
        chosen = self.points
        for name, value in place.items():
            chosen = chosen.filter(pc.field(name) == value)
        rows = nulls(chosen, seed=self.seed, xs=(x,)).to_pylist()
        return dict(rows[0]) if rows and rows[0]["r2"] is not None else None

    def exponents(self, group: str, model: str, x: str) -> Mapping[str, Any] | None:
        """The row of fitted exponents in the collapse table, if there are any."""
        for row in self.collapse.to_pylist():
            place = row["group"], row["model"], row["x"], row["scaling"]
            if place == (group, model, x, "fitted") and row["a"] is not None:
                return dict(row)
        return None

    def pair(self, group: str, a: str, b: str) -> Pair | None:
        """The comparison of two models, if both are there."""
        for comparison in self.comparisons:
            if comparison.group == group:
                return next((pair for pair in comparison.pairs if {pair.a, pair.b} == {a, b}), None)
        return None

    def cells(self, group: str, x: str) -> Cells:
        """The cells of a group."""
        return cells(self.points, group, x)

    def samples(self, group: str, model: str, x: str) -> list[Sample]:
        """A model's cells by mechanism; empty for a mechanism without a score."""
        chosen = self.cells(group, x)
        if model not in chosen.models:
            return []
        mechanisms = np.array(chosen.mechanisms)
        return [_sample(name, chosen, model, mechanisms == name) for name in dict.fromkeys(chosen.mechanisms) if name]

    def whole(self, group: str, model: str, x: str) -> Sample | None:
        """All of a model's cells of a group, named after it."""
        chosen = self.cells(group, x)
        if model not in chosen.models:
            return None
        made = _sample(group, chosen, model, np.ones(len(chosen.x), bool))
        return made if len(made.x) else None

    def drawn_by(self, module: str, regime: str = "") -> str:
        """The label of a figure of that module: the regime's where there is one of its name."""
        labels = self.figures.get(module, ())
        own = [label for label in labels if regime and label.endswith(regime)]
        return next(iter([*own, *labels]), "")

    def _regimes(self, chosen: Any) -> list[str]:
        mechanisms: dict[str, set[str]] = {}
        names = zip(self.points.column("group").to_pylist(), self.points.column("mechanism").to_pylist(), strict=True)
        for group, mechanism in names:
            if mechanism:
                mechanisms.setdefault(group.partition("@")[2], set()).add(mechanism)
        return [regime for regime, found in mechanisms.items() if chosen(found)]


def _sample(name: str, chosen: Cells, model: str, which: Any) -> Sample:
    score = chosen.smap[:, chosen.models.index(model)]
    known = which & np.isfinite(chosen.x) & np.isfinite(score) & (score > 0)
    networks = np.array([f"{chosen.group}:{network}" for network in chosen.networks])
    return Sample(name, chosen.x[known], score[known], networks[chosen.network[known]])
