"""Text files as tokens: what all line-based formats share.

A file is read in blocks of whole lines, so that memory does not grow with it. Kernels find the tokens of a block and
turn them into labels and numbers; Arrow takes the few numbers in an unusual notation.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from cascurve.errors import DataError
from cascurve.formats import times
from cascurve.formats.interning import Labels
from cascurve.formats.slices import gather

BLOCK = 1 << 18
"""Bytes read at once; with their tokens they fit into the processor's second cache."""
LONGEST = 1 << 30
"""Bytes of the longest line; places in a block are 32-bit numbers."""
Chosen = NDArray[np.bool_] | NDArray[np.int64] | slice
"""Tokens by mask, by index, or all of them."""
NOT_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)
"""What `opened` raises while a damaged ``.gz`` is read."""
MOST_MARKS = 8
"""Different characters, of all kinds but text, that a format can have."""
TEXT, BLANK, SEPARATOR, LINE_END, QUOTE = range(5)


@dataclass(frozen=True)
class Tokens:
    """Tokens of some whole lines; a row is a line that is not blank.

    Attributes
    ----------
    data : uint8. The bytes.
    starts, ends : int64, shape (tokens,). Token t is ``data[starts[t]:ends[t]]``.
    stops : uint8, shape (tokens,). The separator that follows the token, newline at a line's end; a blank only
        where nothing else follows. A separator that ends its line opens no empty token.
    rows : int64, shape (rows + 1,). Tokens of row r are ``rows[r] … rows[r + 1] - 1``.
    lines : int64, shape (rows,). Line numbers in the file, from 1.
    fields : int64, shape (rows,). How many tokens each row has in the file, those that were not asked for included.
    file : for messages.
    last : whether the file ends here.
    """

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    stops: NDArray[np.uint8]
    rows: NDArray[np.int64]
    lines: NDArray[np.int64]
    fields: NDArray[np.int64]
    file: Path
    last: bool

    @property
    def counts(self) -> NDArray[np.int64]:
        """Tokens per row."""
        return np.diff(self.rows)

    @property
    def places(self) -> NDArray[np.int64]:
        """Place of each token in its row, from 0; shape (tokens,)."""
        return np.arange(len(self.starts)) - np.repeat(self.rows[:-1], self.counts)

    def text(self, token: int) -> str:
        """One token."""
        return self.data[self.starts[token] : self.ends[token]].tobytes().decode()

    def line_of(self, token: int) -> int:
        """The line that a token stands in."""
        return int(self.lines[np.searchsorted(self.rows, token, side="right") - 1])

    def strings(self, chosen: Chosen) -> pa.StringArray:
        """The chosen tokens as an Arrow string array."""
        starts, ends = self.starts[chosen], self.ends[chosen]
        offsets, data = gather(self.data, starts, ends)
        return pa.StringArray.from_buffers(len(starts), pa.py_buffer(offsets), pa.py_buffer(data))

    def users(self, chosen: Chosen, labels: Labels) -> NDArray[np.int32]:
        """The chosen tokens as users, numbered by `labels`; an empty token is an error."""
        starts, ends = self.starts[chosen], self.ends[chosen]
        empty = starts == ends
        if empty.any():
            token = int(np.arange(len(self.starts))[chosen][np.argmax(empty)])
            raise self.fault(token, "expected a user, found nothing between two separators")
        return labels.codes(self.data, starts, ends)

    def numbers(self, chosen: Chosen, what: str = "a time") -> NDArray[np.float64]:
        """The chosen tokens as finite numbers, rounded correctly; the first that is none is an error."""
        return self._values(chosen, "as_given", times.numbers, f"{what} (a finite number)")

    def moments(self, chosen: Chosen, clock: times.Clock) -> NDArray[np.float64]:
        """The chosen tokens as times in seconds, given as numbers or dates; the first that is neither is an error."""
        return self._values(chosen, clock.unit, clock.read, "a time (a finite number or a date)")

    def _values(
        self, chosen: Chosen, unit: times.Unit, read: Callable[[pa.StringArray], NDArray[np.float64]], what: str
    ) -> NDArray[np.float64]:
        """Plain numbers in a unit, and what `read` makes of the other tokens."""
        values = times.plain_numbers(self.data, self.starts[chosen], self.ends[chosen])
        rest = np.isnan(values)
        values = times.in_seconds(values, unit)
        if rest.any():
            values[rest] = read(self.strings(np.arange(len(self.starts))[chosen][rest]))
        bad = np.isnan(values)
        if bad.any():
            token = int(np.arange(len(self.starts))[chosen][np.argmax(bad)])
            raise self.fault(token, f"expected {what}, found {self.text(token)!r}")
        return values

    def first_fault(self, wrong: NDArray[np.bool_], message: str) -> None:
        """Raise for the first token of a mask, if there is one; ``{found}`` in the message is the token."""
        if wrong.any():
            token = int(np.argmax(wrong))
            raise self.fault(token, message.format(found=repr(self.text(token))))

    def fault(self, token: int, message: str, remedy: str = "correct the line or delete it") -> DataError:
        """The error for a token, with file and line."""
        return DataError(message, file=self.file, line=self.line_of(token), remedy=remedy)


def tokens(
    path: str | Path,
    *,
    blanks: str = "",
    separators: str = "",
    table: bool = False,
    columns: Sequence[int] | None = None,
    encoding: str = "utf-8",
) -> Iterator[Tokens]:
    """The tokens of a text file, block by block.

    Parameters
    ----------
    blanks : characters of which a run counts as one separator, and which may stand around others.
    separators : characters each of which ends a token, even an empty one.
    table : rows are those of a table: double quotes may enclose a token and hide separators in it (a line end they do
        not hide), spaces around a token do not count, and a separator at a line's end opens an empty token.
    columns : of a table, the places in a row of the tokens that are asked for; by default all. The others only count.

    Raises
    ------
    DataError : no such file, not readable, nothing in it, or not text in the encoding; file and line are named.
    """
    kinds = np.full(256, TEXT, np.uint8)
    for kind, characters in ((BLANK, blanks), (SEPARATOR, separators), (LINE_END, "\r\n")):
        kinds[np.frombuffer(characters.encode(), np.uint8)] = kind
    if table:
        kinds[ord('"')] = QUOTE
    kept = np.ones(0 if columns is None else max(columns) + 1, np.bool_)
    kept[:] = np.isin(np.arange(len(kept)), columns or [])
    line, found = 1, False
    marks = np.empty(0, np.int32)
    for piece, last in _blocks(path):
        data = np.frombuffer(_checked(piece, path, line, encoding), np.uint8)
        if len(marks) <= len(data):
            marks = np.empty(len(data) + len(data) // 8 + 1, np.int32)
        # room for the most tokens that there can be; pages that are not written cost nothing
        starts, ends, rows, lines, fields = (np.empty(len(data) + 2, np.int64) for _ in range(5))
        stops = np.empty(len(data) + 2, np.uint8)
        room = (starts, ends, stops, rows, lines, fields, marks)
        n_tokens, n_rows, n_lines = _fill(data, kinds, table, kept, columns is None, line, *room)
        per_token = (starts[:n_tokens], ends[:n_tokens], stops[:n_tokens])
        # readers keep the lines, and a view would keep the whole room
        per_row = (rows[: n_rows + 1], lines[:n_rows].copy(), fields[:n_rows])
        yield Tokens(data, *per_token, *per_row, Path(path), last)
        line += n_lines
        found = found or n_rows > 0
    if not found:
        raise DataError("the file is empty", file=path, remedy="name a file that has lines in it")


def _blocks(path: str | Path) -> Iterator[tuple[bytes, bool]]:
    """A file as pieces of whole lines; with each, whether it is the last. A name in ``.gz`` is unpacked on the way."""
    whole, rest = b"", [b""]
    try:
        with opened(path) as file:
            while piece := file.read(BLOCK):
                cut = _last_line_end(piece)
                if not cut:
                    rest.append(piece)  # joined once, or a file of one long line would be copied for each piece
                    if len(rest) * BLOCK > LONGEST:
                        raise DataError("no line ends within 1 GiB", file=path, remedy="is it a text file?")
                    continue
                if whole:
                    yield whole, False
                whole, rest = b"".join([*rest, piece[:cut]]), [piece[cut:]]
    except FileNotFoundError:
        raise DataError("file not found", file=path, remedy="check the path") from None
    except NOT_GZIP as error:
        raise DataError(f"not a whole gzip file ({error})", file=path) from None
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror})", file=path) from None
    end = b"".join(rest)
    if whole:
        yield whole, not end
    if end:
        yield end, True


def opened(path: str | Path) -> BinaryIO:
    """A file's bytes; those of a name in ``.gz`` are unpacked."""
    return cast(BinaryIO, gzip.open(path, "rb")) if Path(path).suffix == ".gz" else open(path, "rb")


def _last_line_end(data: bytes) -> int:
    """Where the last whole line ends; a carriage return at the very end may have its newline still to come."""
    newline = data.rfind(b"\n") + 1
    return newline or data.rfind(b"\r", 0, max(len(data) - 1, 0)) + 1


def _line_ends(data: bytes) -> int:
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def _checked(data: bytes, path: str | Path, line: int, encoding: str) -> bytes:
    """The bytes as UTF-8 without a byte order mark, known to be text."""
    if line == 1:
        data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.isascii():
        try:
            data = data.decode(encoding).encode()
        except UnicodeDecodeError as error:
            place = line + _line_ends(data[: error.start])
            message = f"expected UTF-8 text, found the byte 0x{data[error.start]:02x}"
            raise DataError(message, file=path, line=place, remedy="convert the file to UTF-8") from None
    zero = data.find(b"\0")
    if zero >= 0:
        place = line + _line_ends(data[:zero])
        raise DataError("expected text, found a zero byte", file=path, line=place, remedy="is it a text file?")
    return data


@njit(cache=True)
def _fill(
    data: NDArray[np.uint8],
    kinds: NDArray[np.uint8],
    table: Any,
    kept: NDArray[np.bool_],
    keep_all: Any,
    line: Any,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    stops: NDArray[np.uint8],
    rows: NDArray[np.int64],
    lines: NDArray[np.int64],
    fields: NDArray[np.int64],
    marks: NDArray[np.int32],
) -> tuple[int, int, int]:
    """Find all tokens of a block that begins in `line`; returns the number of tokens, rows and line ends.

    Two passes: the first only looks where bytes are that are no text, and has no branch; so the second, which has
    many, does not see the bytes of text, of which there are most.
    """
    token, row, field, begin, breaks, quoted = 0, 0, 0, -1, 0, False
    last_kind = LINE_END  # of the separator after the row's last token
    rows[0] = 0
    n_marks = _marks(data, kinds, marks)
    marks[n_marks] = len(data)  # the end counts as a newline
    before = -1
    for mark in range(n_marks + 1):
        i = marks[mark]
        byte = data[i] if i < len(data) else np.uint8(10)
        kind = kinds[byte]
        if begin < 0 and i > before + 1:
            begin = before + 1
        before = i
        if kind == QUOTE or (quoted and kind != LINE_END):
            quoted ^= kind == QUOTE
            if begin < 0:
                begin = i
            continue
        quoted = False
        open_end = table and kind == LINE_END and last_kind == SEPARATOR
        if begin >= 0 or open_end or (kind == SEPARATOR and last_kind != BLANK):
            if keep_all or (field < len(kept) and kept[field]):
                first, end = begin if begin >= 0 else i, i
                if table and end > first and (data[first] <= 34 or data[end - 1] <= 34):  # a space or a quote, perhaps
                    first, end = _bare(data, kinds, first, end)
                starts[token], ends[token] = first, end
                stops[token] = byte
                token += 1
            field += 1
            begin = -1
            last_kind = kind
        elif last_kind == BLANK and kind != BLANK:
            stops[token - 1] = byte
            last_kind = kind
        if kind == LINE_END:
            if field > 0:
                lines[row], fields[row] = line + breaks, field
                row += 1
                rows[row] = token
                field = 0
            last_kind = LINE_END
            if i < len(data) and (byte == 10 or i + 1 == len(data) or data[i + 1] != 10):
                breaks += 1
    return token, row, breaks


@njit(cache=True)
def _marks(data: NDArray[np.uint8], kinds: NDArray[np.uint8], marks: NDArray[np.int32]) -> int:
    """The places of the bytes that are no text, into `marks`; returns their number.

    Comparisons with a fixed number of characters become vector instructions, where look-ups in `kinds` do not.
    """
    characters = np.flatnonzero(kinds != TEXT).astype(np.uint8)
    c = characters[np.arange(MOST_MARKS) % len(characters)]
    c0, c1, c2, c3, c4, c5, c6, c7 = c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
    hits = np.empty((len(data) + 7) // 8 * 8, np.uint8)
    hits[len(data) :] = 0
    for i in range(len(data)):
        x = data[i]
        hits[i] = (x == c0) | (x == c1) | (x == c2) | (x == c3) | (x == c4) | (x == c5) | (x == c6) | (x == c7)
    words = hits.view(np.uint64)
    found = 0
    for word in range(len(words)):
        if words[word] != 0:
            for i in range(8 * word, 8 * word + 8):
                marks[found] = i
                found += hits[i]
    return found


@njit(cache=True)
def _bare(data: NDArray[np.uint8], kinds: NDArray[np.uint8], first: Any, end: Any) -> tuple[Any, Any]:
    """The field of a table without spaces around it and without the quotes that enclose it."""
    while first < end and data[first] == 32:
        first += 1
    while first < end and data[end - 1] == 32:
        end -= 1
    if end - first >= 2 and kinds[data[first]] == QUOTE and kinds[data[end - 1]] == QUOTE:
        return first + 1, end - 1
    return first, end
