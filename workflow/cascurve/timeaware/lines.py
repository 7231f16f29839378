"""Lines of TREC KBA files: seven columns, comments after ``#``, documents named ``<seconds since 1970>-<anything>``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cascurve.formats.text import Tokens, tokens

COLUMNS = 7
DOCUMENT, ENTITY, CONFIDENCE, LABEL = 2, 3, 4, 5
HYPHEN, ZERO, NINE, COMMENT = (ord(character) for character in "-09#")


@dataclass(frozen=True)
class Lines:
    """Some lines of a file, without comments; `first` is the place of each line's first token in `tokens`."""

    tokens: Tokens
    first: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.first)

    def column(self, place: int) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
        """(data, starts, ends) of one column."""
        chosen = self.first + place
        return self.tokens.data, self.tokens.starts[chosen], self.tokens.ends[chosen]

    def numbers(self, place: int, what: str) -> NDArray[np.float64]:
        """One column as numbers."""
        return self.tokens.numbers(self.first + place, what)

    def times(self) -> NDArray[np.float64]:
        """The time in each document's name."""
        found = _times(*self.column(DOCUMENT))
        bad = found < 0
        if bad.any():
            token = int(self.first[np.argmax(bad)]) + DOCUMENT
            message = f"expected a document such as 1328580050-5eb3fde6, found {self.tokens.text(token)!r}"
            raise self.tokens.fault(token, message)
        return found

    def line(self, row: int) -> int:
        """Line number in the file of one of these lines."""
        return self.tokens.line_of(int(self.first[row]))


def read_lines(path: Path, what: str) -> Iterator[Lines]:
    """The lines of a file, block by block; `what` names the columns for the error of a line with too few or many."""
    for block in tokens(path, blanks=" \t"):
        first = block.rows[:-1]
        shown = block.data[block.starts[first]] != COMMENT
        wrong = shown & (block.counts != COLUMNS)
        if wrong.any():
            row = int(np.argmax(wrong))
            message = f"expected the {COLUMNS} columns '{what}', found {block.counts[row]}"
            raise block.fault(int(first[row]), message)
        if shown.any():
            yield Lines(block, first[shown])


@njit(cache=True)
def _times(data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """The digits before the hyphen as a number; -1 where there are none, or more than 15."""
    found = np.full(len(starts), -1.0)
    for token in range(len(starts)):
        value = np.int64(0)
        place = starts[token]
        while place < ends[token] and place - starts[token] <= 15 and data[place] >= ZERO and data[place] <= NINE:
            value = 10 * value + np.int64(data[place] - ZERO)
            place += 1
        digits = place - starts[token]
        if 0 < digits <= 15 and (place == ends[token] or data[place] == HYPHEN):
            found[token] = value
    return found
