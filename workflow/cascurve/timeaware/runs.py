"""A system's run: documents that it predicts for entities, with its confidence in each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.interning import Labels
from cascurve.formats.text import gather
from cascurve.timeaware.judgments import Judgments
from cascurve.timeaware.lines import CONFIDENCE, DOCUMENT, ENTITY, Lines, read_lines

COLUMNS = "team run document entity confidence relevance mention"
TEAM, RUN = 0, 1


@dataclass(frozen=True)
class Predictions:
    """Some predictions of a run, for entities that are evaluated.

    Attributes
    ----------
    entity : int32, shape (n,).
    judged : int32, shape (n,). Row of the judgments, -1 for an unjudged document.
    time, confidence : float64, shape (n,).
    offsets, text : document i is named ``text[offsets[i]:offsets[i + 1]]``; int32, uint8.
    """

    entity: NDArray[np.int32]
    judged: NDArray[np.int32]
    time: NDArray[np.float64]
    confidence: NDArray[np.float64]
    offsets: NDArray[np.int32]
    text: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.entity)


@dataclass(frozen=True)
class Run:
    """One system's run.

    Attributes
    ----------
    predictions : in blocks, so that a large run is never copied as a whole.
    counts : how many lines there are of each kind (`read_run`).
    """

    team: str
    name: str
    predictions: tuple[Predictions, ...]
    counts: dict[str, int] = field(repr=False)

    @property
    def label(self) -> str:
        """Team and run."""
        return f"{self.team} {self.name}"


def read_run(path: Path, judgments: Judgments) -> Run:
    """A run in the format of TREC KBA: ``team run document entity confidence relevance mention``, plain or ``.gz``.

    Its counts are: predictions; those for an entity that is not evaluated; those of a judged and of an unjudged
    document. Unjudged documents count as wrong, as in TAIA.

    Raises
    ------
    DataError : naming file and line: wrong number of columns, no number, a second team or run, a document that stands
        twice for an entity.
    """
    blocks, hashes, lines_read = [], [], 0
    names = (Labels(), Labels())
    for lines in read_lines(path, COLUMNS):
        for place, found in zip((TEAM, RUN), names, strict=True):
            _require_one(lines, place, found)
        entity = judgments.names.find(*lines.column(ENTITY))
        block = _predictions(lines, entity, judgments)
        hashes.append(_hashes(block.text, block.offsets, block.entity))
        blocks.append(block)
        lines_read += len(lines)
    if not blocks:
        raise DataError("expected predictions, found only comments", file=path)
    _require_distinct(path, hashes, blocks, judgments)
    evaluated = sum(map(len, blocks))
    judged = sum(int(np.sum(block.judged >= 0)) for block in blocks)
    counts = {
        "predictions": lines_read,
        "other_entities": lines_read - evaluated,
        "judged": judged,
        "unjudged": evaluated - judged,
    }
    return Run(names[0].text(0), names[1].text(0), tuple(blocks), counts)


def _predictions(lines: Lines, entity: NDArray[np.int32], judgments: Judgments) -> Predictions:
    """The lines of entities that are evaluated; all lines are checked."""
    confidence, time = lines.numbers(CONFIDENCE, "a confidence"), lines.times()
    data, starts, ends = lines.column(DOCUMENT)
    kept = entity >= 0
    offsets, text = gather(data, starts[kept], ends[kept])
    document = judgments.labels.find(data, starts[kept], ends[kept])
    judged = judgments.rows_of(entity[kept], document)
    return Predictions(entity[kept], judged, time[kept], confidence[kept], offsets, text)


def _require_one(lines: Lines, place: int, found: Labels) -> None:
    """All lines name the same team and run as the first of the file."""
    codes = found.codes(*lines.column(place))
    if codes.any():
        row = int(np.argmax(codes > 0))
        what = ("team", "run")[place]
        message = f"expected {what} '{found.text(0)}' as in the lines above, found '{found.text(int(codes[row]))}'"
        raise lines.tokens.fault(int(lines.first[row]) + place, message, "write one file per run")


def _require_distinct(
    path: Path, hashes: list[NDArray[np.uint64]], blocks: list[Predictions], judgments: Judgments
) -> None:
    """No document twice for an entity; texts are compared only where hashes agree."""
    every = np.concatenate(hashes)
    every.sort()
    again = every[1:][every[1:] == every[:-1]]
    if not len(again):
        return
    seen: set[tuple[int, bytes]] = set()
    for entity, document in _with_hash(blocks, hashes, again):
        if (entity, document) in seen:
            name, text = judgments.entities[entity], document.decode()
            message = f"document '{text}' stands twice for entity '{name}'"
            raise DataError(message, file=path, line=_line_of_second(path, text, name), remedy="keep one of the lines")
        seen.add((entity, document))


def _with_hash(
    blocks: list[Predictions], hashes: list[NDArray[np.uint64]], wanted: NDArray[np.uint64]
) -> Iterator[tuple[int, bytes]]:
    for block, own in zip(blocks, hashes, strict=True):
        for row in np.flatnonzero(np.isin(own, wanted)):
            yield int(block.entity[row]), block.text[block.offsets[row] : block.offsets[row + 1]].tobytes()


def _line_of_second(path: Path, document: str, entity: str) -> int:
    """The line where a document stands for an entity for the second time."""
    found = 0
    for lines in read_lines(path, COLUMNS):
        for row, first in enumerate(lines.first.tolist()):
            if lines.tokens.text(first + DOCUMENT) == document and lines.tokens.text(first + ENTITY) == entity:
                found += 1
                if found == 2:
                    return lines.line(row)
    raise AssertionError("the file changed while it was read")


def require_distinct_runs(files: dict[tuple[str, str], Path], run: tuple[str, str], path: Path) -> None:
    """Note the file of a run; raises `DataError` where another file holds a run of the same team and name."""
    if run in files:
        raise DataError(f"run '{run[1]}' of team '{run[0]}' is in {files[run]} too", file=path, remedy="drop one")
    files[run] = path


@njit(cache=True)
def _hashes(text: NDArray[np.uint8], offsets: NDArray[np.int32], entity: NDArray[np.int32]) -> NDArray[np.uint64]:
    """A hash of each pair of document and entity (a polynomial in the bytes, odd factor)."""
    found = np.empty(len(entity), np.uint64)
    for i in range(len(entity)):
        value = np.uint64(entity[i]) + np.uint64(1)
        for byte in range(offsets[i], offsets[i + 1]):
            value = (value ^ (value >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(text[byte])
        found[i] = value
    return found
