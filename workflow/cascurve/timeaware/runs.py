"""A system's run: documents that it predicts for entities, with its confidence in each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats.slices import gather
from cascurve.seeding import split_mix
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
    blocks: list[Predictions] = []
    hashes: list[NDArray[np.uint64]] = []
    lines_read = 0
    team = name = ""
    for lines in read_lines(path, COLUMNS):
        if not blocks:
            team, name = (lines.tokens.text(int(lines.first[0]) + place) for place in (TEAM, RUN))
        _require_one(lines, TEAM, team.encode())
        _require_one(lines, RUN, name.encode())
        entity = judgments.names.find(*lines.column(ENTITY))
        block, own = _predictions(lines, entity, judgments)
        hashes.append(own)
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
    return Run(team, name, tuple(blocks), counts)


def _predictions(
    lines: Lines, entity: NDArray[np.int32], judgments: Judgments
) -> tuple[Predictions, NDArray[np.uint64]]:
    """The lines of entities that are evaluated, and a hash of each; all lines are checked."""
    confidence, time = lines.numbers(CONFIDENCE, "a confidence"), lines.times()
    data, starts, ends = lines.column(DOCUMENT)
    kept = entity >= 0
    starts, ends, own = starts[kept], ends[kept], entity[kept]
    offsets, text = gather(data, starts, ends)
    hashes = judgments.sieve.hashes(data, starts, ends)
    judged = np.full(len(own), -1, np.int32)
    likely = np.flatnonzero(judgments.sieve.passes(hashes))
    document = judgments.labels.find(data, starts[likely], ends[likely])
    judged[likely] = judgments.rows_of(own[likely], document)
    return Predictions(own, judged, time[kept], confidence[kept], offsets, text), _mixed(hashes, own)


def _require_one(lines: Lines, place: int, expected: bytes) -> None:
    """All lines name the same team and run as the first of the file."""
    row = _first_other(*lines.column(place), np.frombuffer(expected, np.uint8))
    if row >= 0:
        token = int(lines.first[row]) + place
        what = ("team", "run")[place]
        message = f"expected {what} '{expected.decode()}' as in the lines above, found '{lines.tokens.text(token)}'"
        raise lines.tokens.fault(token, message, "write one file per run")


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
def _mixed(hashes: NDArray[np.uint64], entity: NDArray[np.int32]) -> NDArray[np.uint64]:
    """A hash of each pair of document and entity."""
    found = np.empty(len(entity), np.uint64)
    for i in range(len(entity)):
        found[i] = split_mix(hashes[i] + np.uint64(entity[i]))
    return found


@njit(cache=True)
def _first_other(
    data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64], expected: NDArray[np.uint8]
) -> int:
    """The first token that is not `expected`; -1 where all are."""
    for token in range(len(starts)):
        if ends[token] - starts[token] != len(expected):
            return token
        for i in range(len(expected)):
            if data[starts[token] + i] != expected[i]:
                return token
    return -1
