"""`Cells`: the slices in which an entity has a true document, and the weight of each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cascurve.timeaware.slices import Slicing

WEIGHTINGS = ("UNIFORM", "WEIGHTED")
"""Every slice of an entity counts the same, or by its share of the entity's true documents (burst-aware)."""


@dataclass(frozen=True)
class Cells:
    """Pairs of an entity and one of its own slices, ascending by both.

    Attributes
    ----------
    n_entities : entities over which is averaged, those without any true document included.
    entity, slice : int32, shape (cells,).
    relevant : int64, shape (cells,). R, true documents of the entity in the slice.
    """

    slicing: Slicing
    n_entities: int
    entity: NDArray[np.int32]
    slice: NDArray[np.int32]
    relevant: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.entity)

    @property
    def lows(self) -> NDArray[np.float64]:
        """Where the slice of each cell begins."""
        return self.slicing.lows[self.slice]

    @property
    def own_slices(self) -> NDArray[np.int64]:
        """I, slices with a true document, of each entity; shape (n_entities,)."""
        return np.bincount(self.entity, minlength=self.n_entities)

    @property
    def kept_slices(self) -> NDArray[np.int32]:
        """Slices in which any entity has a true document, ascending."""
        return np.unique(self.slice)

    def only(self, entity: int | None) -> "Cells":
        """The cells of one entity; all of them for None."""
        if entity is None:
            return self
        own = self.entity == entity
        return Cells(self.slicing, self.n_entities, self.entity[own], self.slice[own], self.relevant[own])

    def shares(self) -> NDArray[np.float64]:
        """R_i / R: the share of an entity's true documents that fall in the slice; shape (cells,)."""
        total = np.bincount(self.entity, self.relevant, self.n_entities)
        return self.relevant / total[self.entity]

    def weights(self, weighting: str = "WEIGHTED") -> NDArray[np.float64]:
        """The factor of each cell's value; an entity's weights have mean 1 over its own slices.

        Burst-aware: R_i / R * I (the seed's P(i|q) * I).
        """
        if weighting == "UNIFORM":
            return np.ones(len(self))
        return self.shares() * self.own_slices[self.entity]

    def entity_values(self, values: NDArray[np.float64], weighting: str) -> NDArray[np.float64]:
        """Per entity the mean over its own slices of value times weight; NaN for an entity without any."""
        total = np.bincount(self.entity, values * self.weights(weighting), self.n_entities)
        own = self.own_slices
        return np.divide(total, own, out=np.full(self.n_entities, np.nan), where=own > 0)

    def overall(self, values: NDArray[np.float64], weighting: str) -> float:
        """Mean over all entities of their values."""
        return mean_over_entities(self.entity_values(values, weighting))

    def over_time(
        self, values: NDArray[np.float64], weighting: str = "UNIFORM"
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """(slice, mean, population standard deviation, entities) over the entities that own each kept slice."""
        slices, place = np.unique(self.slice, return_inverse=True)
        weighted = values * self.weights(weighting)
        count = np.bincount(place, minlength=len(slices))
        mean = np.bincount(place, weighted, len(slices)) / count
        square = np.bincount(place, (weighted - mean[place]) ** 2, len(slices)) / count
        return slices, mean, np.sqrt(square), count


def mean_over_entities(values: NDArray[np.float64]) -> float:
    """Mean; an entity without a true document (NaN) counts 0, as in the released code."""
    return float(np.nansum(values) / len(values))


def cells_of(
    slicing: Slicing, n_entities: int, entity: Sequence[int] | NDArray[np.int32], times: NDArray[np.float64]
) -> tuple[Cells, NDArray[np.int64]]:
    """The cells of true documents, and the cell of each document (-1 outside the slices)."""
    owner = np.asarray(entity, np.int64)
    index = slicing.index(times)
    inside = index >= 0
    keys = owner * slicing.count + index
    found, place, relevant = np.unique(keys[inside], return_inverse=True, return_counts=True)
    cell = np.full(len(owner), -1, np.int64)
    cell[inside] = place
    owners, slices = np.divmod(found, slicing.count)
    return Cells(slicing, n_entities, owners.astype(np.int32), slices.astype(np.int32), relevant.astype(np.int64)), cell
