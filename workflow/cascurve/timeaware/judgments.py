"""Judgments of documents, collapsed to one label per entity and document, as TAIA does (Dietz, Dalton & Balog 2013)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cascurve.errors import ConfigError, DataError
from cascurve.formats.interning import Labels
from cascurve.timeaware.lines import CONFIDENCE, DOCUMENT, ENTITY, LABEL, read_lines
from cascurve.timeaware.sieve import Sieve

COLUMNS = "source assessor document entity confidence label mention"


@dataclass(frozen=True)
class Judgments:
    """What is known of documents; a row is one document judged for one entity.

    Attributes
    ----------
    entities : the entities that are evaluated, in the order of their numbers.
    labels : names of documents; `document` numbers them.
    entity : int32, shape (rows,).
    document : int32, shape (rows,). Rows are ascending by (entity, document).
    time : float64, shape (rows,).
    label : float64, shape (rows,). The smallest of the labels that assessors gave.
    left_out : judgments without confidence, outside the range, or of an entity that is not evaluated.
    """

    entities: tuple[str, ...]
    labels: Labels
    entity: NDArray[np.int32]
    document: NDArray[np.int32]
    time: NDArray[np.float64]
    label: NDArray[np.float64]
    left_out: int

    def __len__(self) -> int:
        return len(self.entity)

    @cached_property
    def names(self) -> Labels:
        """The entities, numbered as in `entities`."""
        table = Labels()
        table.codes_of(pa.array(self.entities, pa.string()))
        return table

    @cached_property
    def sieve(self) -> Sieve:
        """Lets the names of judged documents pass."""
        offsets, data = self.labels.content()
        return Sieve(data, offsets[:-1], offsets[1:])

    def true(self, level: float) -> NDArray[np.int64]:
        """Rows whose label is positive and at least `level` (1 = relevant and central, 2 = central in KBA)."""
        return np.flatnonzero((self.label >= level) & (self.label > 0))

    def rows_of(self, entity: NDArray[np.int32], document: NDArray[np.int32]) -> NDArray[np.int32]:
        """The row of each pair, -1 where there is none (a number below 0 is no document and no entity)."""
        if not len(self):
            return np.full(len(entity), -1, np.int32)
        rows = np.full(len(entity), -1, np.int32)
        known = np.flatnonzero((entity >= 0) & (document >= 0))
        asked = entity[known] * np.int64(len(self.labels)) + document[known]
        place = np.minimum(np.searchsorted(self._keys, asked), len(self) - 1)
        rows[known] = np.where(self._keys[place] == asked, place, -1)
        return rows

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        return self.entity * np.int64(len(self.labels)) + self.document

    @cached_property
    def text_order(self) -> NDArray[np.int64]:
        """Place of each document's name among all names in ascending order of bytes."""
        offsets, data = self.labels.content()
        names = pa.LargeBinaryArray.from_buffers(
            pa.large_binary(), len(self.labels), [None, pa.py_buffer(offsets), pa.py_buffer(data)]
        )
        place = np.empty(len(names), np.int64)
        place[pc.sort_indices(names).to_numpy()] = np.arange(len(names))
        return place


def read_judgments(
    paths: Sequence[Path], *, start: float, end: float, entities: Sequence[str] | None = None
) -> Judgments:
    """Judgments in the format of TREC KBA, collapsed: without confidence or outside [start, end) left out, then the
    smallest label per entity and document.

    Parameters
    ----------
    paths : files of lines ``source assessor document entity confidence label mention``, plain or ``.gz``.
    entities : those to evaluate; None = all that are judged, by name.

    Raises
    ------
    DataError : naming file and line of a malformed one; and where no judgment is left.
    """
    names, documents = Labels(), Labels()
    parts = []
    for path in paths:
        for lines in read_lines(path, COLUMNS):
            confidence = lines.numbers(CONFIDENCE, "a confidence")
            label = lines.numbers(LABEL, "a label")
            time = lines.times()
            kept = (confidence > 0) & (time >= start) & (time < end)
            entity = names.codes(*lines.column(ENTITY))
            document = documents.codes(*lines.column(DOCUMENT))
            parts.append((entity, document, time, label, kept))
    entity, document, time, label, kept = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = list(entities) if entities is not None else sorted(map(names.text, range(len(names))))
    if len(set(order)) < len(order):
        twice = next(name for place, name in enumerate(order) if name in order[:place])
        raise ConfigError("entities", twice, "no name twice")
    number = {name: place for place, name in enumerate(order)}
    entity = np.array([number.get(names.text(code), -1) for code in range(len(names))], np.int32)[entity]
    kept &= entity >= 0
    if not kept.any():
        message = f"none of {len(kept)} judgments has a confidence above 0, a time in [{start:.0f}, {end:.0f}) and"
        there = f"an entity that is evaluated; their times run from {time.min():.0f} to {time.max():.0f}"
        remedy = "check the start and the end"
        if entities is not None:
            remedy += f", and the entities (one that is judged: '{names.text(0)}')"
        raise DataError(f"{message} {there}", file=paths[0], remedy=remedy)
    rank = np.lexsort((label, document, entity))
    rank = rank[kept[rank]]
    entity, document, time, label = entity[rank], document[rank], time[rank], label[rank]
    first = np.ones(len(rank), np.bool_)
    first[1:] = (entity[1:] != entity[:-1]) | (document[1:] != document[:-1])
    return Judgments(
        tuple(order), documents, entity[first], document[first], time[first], label[first], int(np.sum(~kept))
    )
