"""Rankings and truths in files of other programs: TREC run and qrels, CSV, Parquet.

A ranking file has one line per ranked item of a query, a truth file one per relevant item:

| format | ranking | truth |
|---|---|---|
| TREC | ``query Q0 item rank score tag`` | ``query 0 item relevance`` |
| CSV, Parquet | columns ``query, item, score`` | columns ``query, item`` and, if wanted, ``relevance`` |

The score alone ranks (as in trec_eval); an item is relevant where its relevance is above 0. Text may be compressed
with gzip (``run.txt.gz``).
"""

import csv
import gzip
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cascurve.errors import DataError
from cascurve.metrics.relevant_ranks import RelevantRanks, ranks_of

Run = dict[str, dict[str, float]]
"""Query -> item -> score."""
Truth = dict[str, list[str]]
"""Query -> relevant items, in the file's order."""

ALIASES = {
    "query": ("query", "query_id", "qid", "q_id", "topic", "cascade", "source"),
    "item": ("item", "item_id", "doc_id", "docid", "docno", "document", "user", "candidate"),
    "score": ("score",),
    "relevance": ("relevance", "rel", "label", "score"),
}
"""Column names that are understood in CSV and Parquet."""

BLOCK = 2**24
"""Scores that are held in one matrix at a time."""

Row = tuple[int | None, str, str, str]
"""(line in the file, query, item, value)"""


def read_run(path: str | Path) -> Run:
    """Scores by query and item.

    Raises
    ------
    DataError : names the file and line of an item that stands twice or a score that is no number.
    """
    run: Run = {}
    for line, query, item, value in _rows(Path(path), value="score", trec_columns=6, required=True):
        scores = run.setdefault(query, {})
        if item in scores:
            raise DataError(f"query '{query}' ranks item '{item}' twice", file=path, line=line)
        scores[item] = _number(value, f"score of item '{item}' for query '{query}'", path, line)
    return run


def read_truth(path: str | Path) -> Truth:
    """Relevant items by query; a query with judgements but no relevant item has an empty list.

    Raises
    ------
    DataError : as `read_run`.
    """
    truth: Truth = {}
    judged: set[tuple[str, str]] = set()
    for line, query, item, value in _rows(Path(path), value="relevance", trec_columns=4, required=False):
        if (query, item) in judged:
            raise DataError(f"query '{query}' judges item '{item}' twice", file=path, line=line)
        judged.add((query, item))
        relevant = truth.setdefault(query, [])
        if _number(value, f"relevance of item '{item}' for query '{query}'", path, line) > 0:
            relevant.append(item)
    return truth


def places(run: Run, truth: Truth) -> Iterator[tuple[list[str], RelevantRanks]]:
    """The queries of `truth` in blocks, in its order, with the places of their relevant items.

    A query that the run does not rank has no candidate: nothing of it is found.
    """
    queries = list(truth)
    listed: Mapping[str, float] = {}
    start = 0
    while start < len(queries):
        block: list[str] = []
        widest = 1
        while start + len(block) < len(queries):
            query = queries[start + len(block)]
            width = len(run.get(query, listed)) + len(truth[query])
            if block and max(widest, width) * (len(block) + 1) > BLOCK:
                break
            widest = max(widest, width)
            block.append(query)
        scores = np.full((len(block), widest), np.nan)
        users: list[int] = []
        for row, query in zip(scores, block, strict=True):
            ranked = run.get(query, listed)
            row[: len(ranked)] = list(ranked.values())
            place = {item: i for i, item in enumerate(ranked)}
            users += [place.setdefault(item, len(place)) for item in truth[query]]
        offsets = np.concatenate([[0], np.cumsum([len(truth[query]) for query in block])])
        yield block, ranks_of(scores, offsets, np.array(users, np.int32), np.arange(len(block)))
        start += len(block)


def _rows(path: Path, *, value: str, trec_columns: int, required: bool) -> Iterator[Row]:
    if not path.is_file():
        raise DataError("file not found", file=path, remedy="check the path")
    kind = _kind(path)
    if kind == ".parquet":
        return _parquet_rows(path, value, required)
    if kind in (".csv", ".tsv"):
        return _csv_rows(path, value, required)
    return _trec_rows(path, trec_columns)


def _kind(path: Path) -> str:
    """The suffix, that before ``.gz`` where there is one."""
    return Path(path.stem).suffix if path.suffix == ".gz" else path.suffix


@contextmanager
def _text(path: Path, encoding: str = "utf-8", newline: str | None = None) -> Iterator[TextIO]:
    """The text of a file, compressed or not; whatever is no text is the file's fault."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding=encoding, newline=newline) as file:
                yield file
        else:
            with path.open(encoding=encoding, newline=newline) as file:
                yield file
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8 text ({error})", file=path) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"not a whole gzip file ({error})", file=path) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None


def _trec_rows(path: Path, n_columns: int) -> Iterator[Row]:
    what = "query Q0 item rank score tag" if n_columns == 6 else "query 0 item relevance"
    with _text(path) as file:
        for number, line in enumerate(file, start=1):
            parts = line.split()
            if not parts:
                continue
            if len(parts) != n_columns:
                remedy = "name the file .csv, .tsv or .parquet if it is not in TREC format"
                raise DataError(f"expected '{what}', found {len(parts)} columns", file=path, line=number, remedy=remedy)
            yield number, parts[0], parts[2], parts[4 if n_columns == 6 else 3]


def _csv_rows(path: Path, value: str, required: bool) -> Iterator[Row]:
    with _text(path, "utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter="\t" if _kind(path) == ".tsv" else ",")
        header = next(reader, [])
        places = [_column(header, name, path, required=name != value or required) for name in ("query", "item", value)]
        for parts in reader:
            if not parts:
                continue
            if len(parts) != len(header):
                message = f"expected {len(header)} fields as in the header, found {len(parts)}"
                raise DataError(message, file=path, line=reader.line_num)
            query, item, given = ("1" if place is None else parts[place] for place in places)
            yield reader.line_num, query, item, given


def _parquet_rows(path: Path, value: str, required: bool) -> Iterator[Row]:
    try:
        table = pq.read_table(path, partitioning=None, page_checksum_verification=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(f"not a readable Parquet file ({error})", file=path) from None
    names = ("query", "item", value)
    places = [_column(table.column_names, name, path, required=name != value or required) for name in names]
    columns = [["1"] * len(table) if place is None else table.column(place).to_pylist() for place in places]
    return ((None, str(query), str(item), str(given)) for query, item, given in zip(*columns, strict=True))


def _column(header: list[str], name: str, path: Path, *, required: bool) -> int | None:
    lower = [column.strip().lower() for column in header]
    for alias in ALIASES[name]:
        if alias in lower:
            return lower.index(alias)
    if required:
        found = ", ".join(header) or "none"
        message = f"expected a column '{name}' (or {', '.join(ALIASES[name][1:])}), found: {found}"
        raise DataError(message.replace(" (or )", ""), file=path, line=1 if _kind(path) != ".parquet" else None)
    return None


def _number(text: str, what: str, path: str | Path, line: int | None) -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if np.isnan(number):
        raise DataError(f"expected a number as {what}, found '{text}'", file=path, line=line)
    return number
